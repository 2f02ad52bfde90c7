// Brings in Catch2, version 2 or 3, for every native test.
// It must not know what is tested.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif

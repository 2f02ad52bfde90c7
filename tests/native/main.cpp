// Catch2's main: version 2 makes it from the header, version 3 brings it in a library.
// It must not know what is tested.
#if !__has_include(<catch2/catch_all.hpp>)
#define CATCH_CONFIG_MAIN
#endif
#include "catch.h"

#!/usr/bin/env bash
# Compiles the CUDA sources beside it to PTX, as they are committed: NAME.sm_75.ptx, NAME.sm_90.ptx, by nvcc -O3; sm_100
# besides, for which nvcc has another code generator.
# It must not know kernels: a source that wants sm_80 says so by its name below. Needs nvcc (13.0 made what is here).
set -euo pipefail
cd "$(dirname "$0")"
for source in *.cu; do
  name="${source%.cu}"
  case "$name" in
    bfloat2 | async_copy) targets="sm_80 sm_90 sm_100" ;;
    math) targets="sm_75 sm_90" ;;
    *) targets="sm_75 sm_90 sm_100" ;;
  esac
  for target in $targets; do nvcc -O3 -arch="$target" -ptx -o "$name.$target.ptx" "$source"; done
done
# One with lines: .file, .loc and the sections that go with them; only the file's own name is kept of its path.
nvcc -O3 -arch=sm_90 -lineinfo -ptx -o device_function.lines.ptx device_function.cu
sed -i -E 's#"[^"]*/([^/"]+)"#"\1"#' device_function.lines.ptx

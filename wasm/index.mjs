// Loads the core in a page, a worker or Node.
// It must not know the page, nor what the core's texts say.
import createFuseboard from './dist/fuseboard.mjs';

const isNode = typeof process === 'object' && Boolean(process.versions?.node);

/** Compiles the module; a wrong MIME type costs only the streaming. */
async function instantiate(imports, wasmBinary) {
  if (wasmBinary) return WebAssembly.instantiate(wasmBinary, imports);
  const url = new URL('./dist/fuseboard.wasm', import.meta.url);
  if (isNode) {
    const files = 'node:fs/promises'; // a variable, so that bundlers leave it alone
    const { readFile } = await import(/* @vite-ignore */ files);
    return WebAssembly.instantiate(await readFile(url), imports);
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  return WebAssembly.instantiateStreaming(response.clone(), imports).catch(async () =>
    WebAssembly.instantiate(await response.arrayBuffer(), imports),
  );
}

/** What JavaScript sees of the module; index.d.ts tells what each does. */
function dress(core) {
  const start_run = core.Playground.prototype.start_run;
  core.Playground.prototype.start_run = function ({ seed = 1, full = false } = {}) {
    start_run.call(this, seed, full);
  };
  core.Scratch.prototype.continue = core.Scratch.prototype.advance; // C++ keeps the word
  return {
    open: (
      text,
      { broadcast = true, fused = true, target = 'sm_90', math = 'fast', policy = 'rows', entry = 'operands', turned = [] } = {},
    ) => core.open(text, { broadcast, fused, target, math, policy, entry, turned }),
    scratch: (request_json) => core.scratch(request_json),
    ptx_entries_json: (ptx) => core.ptx_entries_json(ptx),
    plan_jsonl_line: (line, { policy = 'elementwise', entry = '' } = {}) => core.plan_jsonl_line(line, policy, entry),
    ops_json: () => core.ops_json(),
    about_json: () => core.about_json(),
  };
}

/** Starts a core with a heap of its own. Rejects where it cannot be fetched or compiled. */
export function load({ wasmBinary } = {}) {
  return new Promise((resolve, reject) => {
    const instantiateWasm = (imports, done) => {
      instantiate(imports, wasmBinary)
        .then(({ instance, module }) => done(instance, module))
        .catch(reject);
      return {};
    };
    createFuseboard({ instantiateWasm, onAbort: (reason) => reject(new Error(`the core stopped: ${reason}`)) })
      .then(dress)
      .then(resolve, reject);
  });
}

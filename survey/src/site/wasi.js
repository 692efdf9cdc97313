// The few functions of WASI (preview 1) that the engine calls to read and write octets.

// Compiles the program that a script element of the page contains as base64.
function load(element) {
  return WebAssembly.compile(Uint8Array.from(atob(element.textContent.trim()), (octet) => octet.charCodeAt(0)));
}

// Runs the program once, in a new instance, with `input` as its standard input. Returns its standard output.
async function run(module, input) {
  let memory;
  let read = 0;
  const written = { 1: [], 2: [] };
  const view = () => new DataView(memory.buffer);
  const NOSYS = 52;
  const BADF = 8;
  const wasi = {
    fd_read(fd, list, count, result) {
      if (fd !== 0) return BADF;
      let sum = 0;
      for (let i = 0; i < count; i++) {
        const at = view().getUint32(list + 8 * i, true);
        const len = Math.min(view().getUint32(list + 8 * i + 4, true), input.length - read);
        new Uint8Array(memory.buffer, at, len).set(input.subarray(read, read + len));
        read += len;
        sum += len;
      }
      view().setUint32(result, sum, true);
      return 0;
    },
    fd_write(fd, list, count, result) {
      if (!written[fd]) return BADF;
      let sum = 0;
      for (let i = 0; i < count; i++) {
        const at = view().getUint32(list + 8 * i, true);
        const len = view().getUint32(list + 8 * i + 4, true);
        written[fd].push(new Uint8Array(memory.buffer, at, len).slice());
        sum += len;
      }
      view().setUint32(result, sum, true);
      return 0;
    },
    environ_sizes_get(count, size) {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return 0;
    },
    environ_get: () => 0,
    args_sizes_get(count, size) {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return 0;
    },
    args_get: () => 0,
    random_get(at, len) {
      crypto.getRandomValues(new Uint8Array(memory.buffer, at, len));
      return 0;
    },
    proc_exit(code) {
      throw new Exit(code);
    },
  };
  const imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    imports[from] ??= {};
    imports[from][name] = wasi[name] ?? (() => NOSYS);
  }
  const instance = await WebAssembly.instantiate(module, imports);
  memory = instance.exports.memory;
  let code = 0;
  try {
    instance.exports._start();
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
    code = error.code;
  }
  const text = (parts) => new TextDecoder().decode(joined(parts));
  if (code !== 0) throw new Error(text(written[2]) || `the engine ended with status ${code}`);
  return text(written[1]);
}

class Exit extends Error {
  constructor(code) {
    super(`exit status ${code}`);
    this.code = code;
  }
}

function joined(parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

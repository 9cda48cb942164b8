#!/usr/bin/env node
// Stands before wasm-bindgen on PATH, where trunk finds it, when `./dev build` makes the program in two parts: what
// the first page needs, and the rest (see src/app/parts.rs). The program is split first; its main part then goes
// through the real wasm-bindgen as ever. The other part is made small as trunk makes the main one, is named by its
// content, and is laid into parts/ in the folder that SPLIT names; what loads it goes into the script of wasm-bindgen.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const PART = "later"; // as in src/app/parts.rs
const here = fileURLToPath(new URL("../..", import.meta.url));

// A page asked for by its address needs the part at once, unless it is the first one; what this misses the program
// asks for itself, a little later.
const AT_ONCE = String.raw`/[?&](?:page=(?!order\b)|embed=(?!order-|attention-steps\b))/`;

function stop(why) {
  console.error(`split: ${why}`);
  process.exit(1);
}

function run(program, args) {
  const { status, error } = spawnSync(program, args, { stdio: "inherit" });
  if (error || status !== 0) stop(`${program} failed: ${error ?? `exit code ${status}`}`);
}

/** wasm-bindgen itself: the first on PATH that is not in the folder of the one that called this. */
function realBindgen() {
  const found = process.env.PATH.split(delimiter)
    .filter((folder) => folder !== process.env.SPLIT)
    .map((folder) => join(folder, "wasm-bindgen"))
    .find((file) => existsSync(file));
  return found ? realpathSync(found) : stop("no wasm-bindgen on PATH");
}

/** What index.html says to wasm-opt. The part does not say which features it uses; they are the compiler's. */
function optimisation() {
  const html = readFileSync(join(here, "index.html"), "utf8");
  const level = html.match(/data-wasm-opt="(\w)"/)?.[1];
  const params = html.match(/data-wasm-opt-params="([^"]*)"/)?.[1];
  if (!level || !params) stop("index.html does not say how to call wasm-opt");
  const features = ["bulk-memory", "multivalue", "mutable-globals", "nontrapping-float-to-int", "reference-types", "sign-ext"];
  return [`-O${level}`, ...params.split(/\s+/), "--strip-debug", ...features.map((f) => `--enable-${f}`)];
}

/** The script with a loader in the place of the splitter's own. */
function withLoader(script, file) {
  const taken = script.match(/^import \* as (\w+) from "\.\/__wasm_split\.js";?\n/m);
  if (!taken || !script.includes("async function __wbg_load(")) stop("the script of wasm-bindgen is not as expected");
  return `${script.replace(taken[0], "")}
// The other part of the program. A failure is told to the program, which may ask again.
const partUrl = new URL(${JSON.stringify(file)}, import.meta.url);
let early = ${AT_ONCE}.test(location.search) ? fetch(partUrl) : undefined;
early?.catch(() => {});
const ${taken[1]} = {
  __wasm_split_load_${PART}(callback, data) {
    const answer = early ?? fetch(partUrl);
    early = undefined;
    answer
      .then((response) => __wbg_load(response, { __wasm_split: wasm }))
      .then(() => true, () => false)
      .then((good) => wasm.__indirect_function_table.get(callback)(data, good));
  },
};
`;
}

const args = process.argv.slice(2);
const option = (name) => args.find((a) => a.startsWith(`--${name}=`))?.slice(name.length + 3);
const input = args.find((a) => a.endsWith(".wasm"));
const [out, name] = [option("out-dir"), option("out-name")];
if (!input || !out || !name) {
  // Asked for its version, for example.
  process.exit(spawnSync(realBindgen(), args, { stdio: "inherit" }).status ?? 1);
}

if (!process.env.SPLIT) stop("SPLIT does not say where the part shall be");
const [raw, parts] = [join(out, "split"), join(process.env.SPLIT, "parts")];
for (const folder of [raw, parts]) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
}
run("wasm-split-cli", [input, raw]);
const part = join(raw, `split_${PART}.wasm`);
if (!existsSync(part)) stop("the program has no part to split off");

run(realBindgen(), [
  ...args.map((a) => (a === input ? join(raw, "main.wasm") : a)),
  "--keep-lld-exports",
  // wasm-opt orders functions by their names.
  "--no-demangle",
]);

const small = join(parts, "small.wasm");
run("wasm-opt", [part, "-o", small, ...optimisation()]);
const hash = createHash("sha256").update(readFileSync(small)).digest("hex").slice(0, 16);
const file = `posenc-lab-${PART}-${hash}.wasm`;
renameSync(small, join(parts, file));

const script = join(out, `${name}.js`);
writeFileSync(script, withLoader(readFileSync(script, "utf8"), file));

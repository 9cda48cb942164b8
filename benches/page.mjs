// The page in Chromium, and what cargo bench left in target/criterion, as one Markdown table: docs/benchmarks.md.
// `./dev bench` runs it after the benchmarks of the core; `node benches/page.mjs pe-matrix …` measures some figures
// only and prints the table.
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";
import { DIST, Lab } from "../tests/e2e/lab.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const only = process.argv.slice(2);
const STEPS = 20;
const STARTS = 3;

// The largest that each page takes; what a figure does not read does no harm.
const WORDS = Array.from({ length: 64 }, (_, k) => `w${k}`);
const HALF = WORDS.slice(0, 32);
const LARGEST = {
  order: `d_model=512&heads=64&layers=4&text_a=${WORDS.join("+")}&text_b=${[...WORDS].reverse().join("+")}`,
  absolute: "d_model=4096&seq_len=8192",
  relative: `seq_len=8192&max_rel_dist=4096&heads=8&text_a=${HALF.join("+")}`,
  rope: "d_model=4096&heads=1&seq_len=8192",
  context: "d_model=4096&heads=1&orig_len=1048576&target_len=16777216",
  multimodal:
    "d_model=4096&heads=1&grid=64x64&patch=64&window=16x16&trained=64x64&seconds=7200&rate=200" +
    "&blocks=t:1024,i:32x32,t:1024",
  compare: "d_model=4096&seq_len=8192&max_rel_dist=4096",
};
const SMALL = "d_model=8&heads=2&seq_len=8&max_rel_dist=4&grid=4x4&window=2x2&seconds=1&target_len=64&orig_len=16";

const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];
const ms = (x) => (x === null ? "–" : x.toFixed(x < 9.95 ? 1 : 0));

/** Seconds of processor that the pages have taken: unlike times, not longer because others use the machine. */
async function processor(session) {
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  return processInfo.filter((p) => p.type === "renderer").reduce((sum, p) => sum + p.cpuTime, 0);
}

/** One figure alone, its first slider or list moved: which, and per step processor and time until it is seen. */
async function step(lab, session, figure, query) {
  const visit = await lab.open(`embed=${figure}&lang=en&${query}`, { width: 1366, height: 768 });
  try {
    await visit.settled(10);
    const slide = (steps) =>
      visit.page.evaluate(async (steps) => {
        const of = (kind) => document.querySelector(`[data-param] ${kind}:enabled`);
        const control = of('input[type="range"]') ?? of("select");
        if (!control) return null;
        const { value, min, max, step, options } = control;
        const way = Number(value) > (Number(min) + Number(max)) / 2 ? -1 : 1;
        const [next, kind] = options
          ? [(k) => options[k % options.length].value, "change"]
          : [(k) => String(Number(value) + way * Number(step) * ((k % 7) + 1)), "input"];
        const lags = [];
        for (let k = 0; k < steps; k += 1) {
          const began = performance.now();
          control.value = next(k);
          control.dispatchEvent(new Event(kind, { bubbles: true }));
          await new Promise((seen) => {
            requestAnimationFrame(() => {
              const { port1, port2 } = new MessageChannel();
              port1.onmessage = seen;
              port2.postMessage(null);
            });
          });
          lags.push(performance.now() - began);
        }
        return { name: control.closest("[data-param]").dataset.param, lags };
      }, steps);
    if (!(await slide(5))) return null;
    const before = await processor(session);
    const { name, lags } = await slide(STEPS);
    return { name, cpu: (1e3 * ((await processor(session)) - before)) / STEPS, lag: median(lags) };
  } finally {
    await visit.close();
  }
}

/** Bytes as a host sends them, and milliseconds until something, a drawing and all of the first screen is there. */
async function start(lab, slower) {
  const runs = [];
  let bytes = 0;
  for (let run = 0; run < STARTS; run += 1) {
    let session;
    const visit = await lab.open("lang=en", {
      ready: false,
      before: async (page) => {
        session = await page.context().newCDPSession(page);
        await session.send("Emulation.setCPUThrottlingRate", { rate: slower });
        await page.addInitScript(() => {
          const look = () => {
            if (document.querySelector('[data-figure]:not([data-rev="0"])')) globalThis.drawn ??= performance.now();
            if (document.documentElement?.dataset.ready) globalThis.ready ??= performance.now();
            if (!globalThis.ready) requestAnimationFrame(look);
          };
          look();
        });
      },
    });
    await visit.page.waitForFunction(() => globalThis.ready, null, { timeout: 60_000 });
    runs.push(
      await visit.page.evaluate(() => [performance.getEntriesByType("paint")[0]?.startTime ?? NaN, drawn, ready]),
    );
    await visit.settled();
    const files = [...new Set(visit.requests)].filter((path) => !path.startsWith("font/"));
    const sizes = files.map((path) => brotliCompressSync(readFileSync(join(DIST, path || "index.html"))).length);
    bytes = sizes.reduce((a, b) => a + b);
    await visit.close();
  }
  return { bytes, times: [0, 1, 2].map((k) => median(runs.map((run) => run[k]))) };
}

/** 1024² sinusoidal values by the core and by plain JavaScript, in turn. */
async function values() {
  const folder = here("../.dev/bench");
  if (!existsSync(join(folder, "values.js"))) return null;
  writeFileSync(join(folder, "index.html"), "<!doctype html><title>values</title>");
  const lab = await Lab.start({ dist: folder });
  const visit = await lab.open("", { ready: false });
  const result = await visit.page.evaluate(async () => {
    const n = 1024;
    const core = await import(new URL("values.js", location.href));
    await core.default();
    const plain = () => {
      const out = new Float64Array(n * n);
      for (let i = 0; i < n / 2; i += 1) {
        const w = 10000 ** ((-2 * i) / n);
        for (let pos = 0; pos < n; pos += 1) {
          out[pos * n + 2 * i] = Math.sin(pos * w);
          out[pos * n + 2 * i + 1] = Math.cos(pos * w);
        }
      }
      return out[n * n - 1];
    };
    const times = [[], []];
    for (let k = 0; k < 40; k += 1) {
      [() => core.values(n), plain].forEach((run, which) => {
        const began = performance.now();
        run();
        times[which].push(performance.now() - began);
      });
    }
    return { times, apart: Math.abs(core.values(n) - plain()) };
  });
  await lab.close();
  return { core: median(result.times[0]), plain: median(result.times[1]), apart: result.apart };
}

/** Mean times of cargo bench, by name. */
function ofCore() {
  const root = here("../target/criterion");
  if (!existsSync(root)) return [];
  const found = readdirSync(root, { recursive: true }).filter((path) => path.endsWith("new/estimates.json"));
  return found.sort().map((path) => {
    const { mean } = JSON.parse(readFileSync(join(root, path), "utf8"));
    return [path.replaceAll("\\", "/").replace("/new/estimates.json", ""), mean.point_estimate / 1e6];
  });
}

const load = loadavg()[0];
const lab = await Lab.start();
const session = await lab.browser.newBrowserCDPSession();
const rows = [];
for (const [page, largest] of Object.entries(LARGEST)) {
  const visit = await lab.open(`page=${page}`);
  const figures = await visit.page.locator("[data-figure]").evaluateAll((all) => all.map((f) => f.dataset.figure));
  await visit.close();
  for (const figure of figures.filter((id) => !only.length || only.includes(id))) {
    const sizes = [];
    for (const query of [SMALL, "", largest]) sizes.push(await step(lab, session, figure, query));
    const name = sizes.find(Boolean)?.name ?? "–";
    const cell = (of) => (of ? `${ms(of.cpu)} · ${ms(of.lag)}` : "–");
    rows.push(`| ${figure}, a step of \`${name}\` | ${sizes.map(cell).join(" | ")} |`);
    console.log(rows.at(-1));
  }
}
if (!only.length) {
  const version = lab.browser.version();
  const starts = [await start(lab, 1), await start(lab, 4)];
  await lab.close();
  const table = await values();
  const core = ofCore();
  const lines = [
    "# Benchmarks",
    "",
    "`./dev bench` writes this file. Times on a shared machine vary by a third and more: compare within one run only.",
    "",
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0].model.trim()}, Chromium ${version}, ` +
      `load before ${load.toFixed(1)}. Milliseconds.`,
    "",
    "| figure alone, processor · until seen | small | default | largest |",
    "|---|---|---|---|",
    ...rows,
    "| **start, page `order`** | **first paint** | **first drawing** | **ready** |",
    ...starts.map(({ times }, k) => `| processor ${k ? 4 : 1} × slower | ${times.map(ms).join(" | ")} |`),
    `| bytes by brotli, without fonts | ${starts[0].bytes} | | |`,
    ...(table
      ? [
          "| **1024² sinusoidal values, in Chromium** | **core** | **plain JavaScript** | **ratio** |",
          `| last value ${table.apart.toExponential(0)} apart | ${ms(table.core)} | ${ms(table.plain)} | ${(table.plain / table.core).toFixed(1)} |`,
        ]
      : []),
    ...core.map(([name, time]) => `| ${name}, natively | ${time.toPrecision(3)} | | |`),
    "",
  ];
  writeFileSync(here("../docs/benchmarks.md"), lines.join("\n"));
  console.log("docs/benchmarks.md is written");
} else {
  await lab.close();
}

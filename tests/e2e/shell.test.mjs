// The page as a whole: it loads from any folder, says nothing on the console, asks nobody else, and is small.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { brotliCompressSync, constants } from "node:zlib";
import { Lab } from "./lab.mjs";

const FIRST_LOAD_LIMIT = 480_000; // bytes of html, css, js and wasm, compressed with brotli

let lab;
before(async () => {
  lab = await Lab.start();
});
after(() => lab?.close());

test("the page loads below a sub-path, without an error and without a foreign request", async () => {
  const visit = await lab.open();
  assert.notEqual((await visit.page.title()).trim(), "");
  assert.notEqual((await visit.page.locator("body").innerText()).trim(), "");
  visit.assertClean();
  await visit.close();
});

test("the language of the page is the browser's, or the address's", async () => {
  for (const [query, locale, expected] of [
    ["", "zh-CN", "zh-CN"],
    ["", "en-GB", "en"],
    ["lang=en", "zh-CN", "en"],
    ["lang=zh", "en-US", "zh-CN"],
  ]) {
    const visit = await lab.open(query, { locale });
    assert.equal(await visit.page.locator("html").getAttribute("lang"), expected, `${query || "no query"}, ${locale}`);
    visit.assertClean();
    await visit.close();
  }
});

test("the first load is small", async (t) => {
  const visit = await lab.open();
  const files = [...new Set(visit.requests)]
    .map((path) => path || "index.html")
    .filter((path) => /\.(html|css|m?js|wasm)$/.test(path));
  await visit.close();
  let total = 0;
  for (const path of files) {
    const bytes = readFileSync(join(lab.dist, path));
    const size = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length;
    t.diagnostic(`${path}: ${bytes.length} bytes, ${size} with brotli`);
    total += size;
  }
  t.diagnostic(`first load: ${(total / 1000).toFixed(1)} kB with brotli`);
  assert.ok(files.some((path) => path.endsWith(".wasm")), "a wasm file is part of the first load");
  assert.ok(total <= FIRST_LOAD_LIMIT, `first load ${total} bytes, limit ${FIRST_LOAD_LIMIT}`);
});

test("the first page comes without the other part of the program; another page brings it, and so does a frame", async () => {
  const later = (visit) => visit.requests.filter((path) => /-later-\w+\.wasm$/.test(path)).length;
  const visit = await lab.open("lang=en");
  assert.equal(later(visit), 0);
  await visit.page.locator("header nav:not(.contents) a").nth(1).click();
  await visit.page.locator('[data-figure="pe-waves"]:not([data-rev="0"])').waitFor();
  await visit.page.locator("header nav:not(.contents) a").nth(3).click();
  await visit.page.locator('[data-figure="rope-circles"]:not([data-rev="0"])').waitFor();
  assert.equal(later(visit), 1);
  visit.assertClean();
  await visit.close();
  for (const [query, wanted] of [
    ["embed=rope-score", 1],
    ["embed=order-swap", 0],
  ]) {
    const frame = await lab.open(query);
    assert.equal(later(frame), wanted, query);
    frame.assertClean();
    await frame.close();
  }
});

test("a part of the program that cannot be loaded is told where the figure would be, and is asked for again", async () => {
  let broken = true;
  const visit = await lab.open("page=rope&lang=en", {
    before: (page) => page.route("**/*-later-*.wasm", (route) => (broken ? route.abort() : route.continue())),
    ready: false,
  });
  const { page } = visit;
  const told = visit.figure("rope-circles").locator(".error");
  await told.getByText("could not be loaded").waitFor();
  // The rest of the page lives.
  await visit.textReady();
  await page.locator("#rope-circles-pos").fill("5");
  await page.locator("#rope-circles-pos").press("Enter");
  await page.waitForFunction(() => location.search.includes("pos=5"));
  broken = false;
  await told.getByRole("button").click();
  await page.locator('[data-figure="rope-circles"]:not([data-rev="0"])').waitFor();
  assert.equal(await told.count(), 0);
  assert.deepEqual(
    visit.problems.filter((p) => !p.includes("ERR_FAILED")),
    [],
  );
  await visit.close();
});

test("the other part is asked for together with the program by each figure that needs it", () => {
  // The rule stands in the script, apart from the list of figures.
  const script = readdirSync(lab.dist).find((name) => /^posenc-lab-\w+\.js$/.test(name));
  const rule = new RegExp(readFileSync(join(lab.dist, script), "utf8").match(/let early = \/(.*)\/\.test\(/)[1]);
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const figures = [...readme.matchAll(/^\| `([a-z0-9-]+)` \| `([a-z]+)` \| /gm)].map(([, id, page]) => ({ id, page }));
  assert.ok(figures.length > 20);
  for (const { id, page } of figures) {
    assert.equal(rule.test(`?lang=en&embed=${id}`), page !== "order", id);
    assert.equal(rule.test(`?page=${page}&lang=en`), page !== "order", page);
  }
  assert.ok(!rule.test(""));
});

test("on the first page a file that needs the other part brings it, and says so if it does not come", async () => {
  let broken = true;
  const visit = await lab.open("lang=en", {
    before: (page) => page.route("**/*-later-*.wasm", (route) => (broken ? route.abort() : route.continue())),
  });
  const downloads = visit.figure("order-swap").locator(".downloads");
  await downloads.locator("summary").click();
  await downloads.locator('[data-download="json"]').click();
  await downloads.getByRole("status").getByText("could not be loaded").waitFor();
  // The figures of this page do without.
  assert.equal(await visit.page.locator(".stage .error").count(), 0);
  broken = false;
  const [download] = await Promise.all([
    visit.page.waitForEvent("download"),
    downloads.locator('[data-download="json"]').click(),
  ]);
  assert.equal(JSON.parse(readFileSync(await download.path(), "utf8")).version, 1);
  assert.equal(await downloads.getByRole("status").innerText(), "");
  await visit.close();
});

test("a config.json pasted before the other part is here is read when it comes", async () => {
  let broken = true;
  const visit = await lab.open("page=context&lang=en", {
    before: (page) => page.route("**/*-later-*.wasm", (route) => (broken ? route.abort() : route.continue())),
    ready: false,
  });
  const config = visit.page.locator(".config");
  await config.locator("#config-text").fill('{"rope_scaling": {"rope_type": "magic", "factor": 4}}');
  const told = config.locator(".error");
  await told.getByText("could not be loaded").waitFor();
  assert.equal(await config.locator("[data-problem]").count(), 0);
  broken = false;
  await told.getByRole("button").click();
  await config.locator('[data-problem="unknown-type"]').waitFor();
  assert.equal(await told.count(), 0);
  await visit.close();
});

test("the test server serves nothing outside the folder", async () => {
  // Written to the socket as it stands: fetch and URL would tidy the dots away.
  const status = (path) =>
    new Promise((done, fail) => {
      const { hostname, port } = new URL(lab.server.url);
      request({ hostname, port, path }, (response) => done(response.resume().statusCode)).on("error", fail).end();
    });
  assert.equal(await status("/some/sub/path/"), 200);
  for (const path of [
    "/",
    "/index.html",
    "/some/sub/path/../../../Cargo.toml",
    "/some/sub/path/../Cargo.toml",
    "/some/sub/path/%2e%2e/Cargo.toml",
    "/some/sub/path/..%2fCargo.toml",
    "/some/sub/path//etc/passwd",
    "/some/sub/path/%E0%A4%A",
    "/some/sub/path/%00",
  ]) {
    assert.equal(await status(path), 404, path);
  }
});

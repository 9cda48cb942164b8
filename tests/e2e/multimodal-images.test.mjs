// Images: patches and their encodings, an image of the visitor's own, relative positions in a window.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { deflateSync } from "node:zlib";
import { Lab } from "./lab.mjs";

let lab;
before(async () => {
  lab = await Lab.start();
});
after(() => lab?.close());

const query = (visit) => Object.fromEntries(new URL(visit.page.url()).searchParams);

/** A number that a figure states, once it is near the one that is wanted. */
async function states(visit, figure, name, wanted) {
  await visit.page.waitForFunction(
    ([f, n, w]) => {
      const text = document.querySelector(`[data-figure="${f}"] [data-value="${n}"]`)?.dataset.number;
      return text !== undefined && Math.abs(Number(text) - w) < 1e-12;
    },
    [figure, name, wanted],
    { timeout: 5000 },
  );
}

/** mean_i cos(δ · base^(−i/n)), i below n. */
function meanCosine(delta, n, base = 10000) {
  let sum = 0;
  for (let i = 0; i < n; i += 1) sum += Math.cos(delta * base ** (-i / n));
  return sum / n;
}

/** The checksum of a chunk of a PNG. */
function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let k = 0; k < 8; k += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

/** A grey PNG with vertical bars, one bit a pixel, so that a huge one is a small file. */
function png(width, height) {
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
    const sizes = [Buffer.alloc(4), Buffer.alloc(4)];
    sizes[0].writeUInt32BE(data.length);
    sizes[1].writeUInt32BE(crc32(body));
    return Buffer.concat([sizes[0], body, sizes[1]]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 1; // one bit a pixel, grey
  const line = Buffer.alloc(1 + Math.ceil(width / 8), 0xf0);
  line[0] = 0; // no filter
  const rows = Buffer.concat(Array.from({ length: height }, () => line));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

test("the numbers beside the patches are those of the formulas", async () => {
  const visit = await lab.open("page=multimodal&lang=en");
  await states(visit, "img-patches", "patches", 196);
  await states(visit, "img-patches", "image-height", 224);
  await states(visit, "img-patches", "right-1d", meanCosine(1, 256));
  await states(visit, "img-patches", "below-1d", meanCosine(14, 256));
  for (const name of ["right-sincos", "below-sincos"]) {
    await states(visit, "img-patches", name, (1 + meanCosine(1, 128)) / 2);
  }
  for (const name of ["right-rope", "below-rope"]) {
    await states(visit, "img-patches", name, (1 + meanCosine(1, 32)) / 2);
  }
  visit.assertClean();
  await visit.close();
});

test("a patch of a 20 × 20 grid is traced in the next frame; arrow keys go by rows and columns", async () => {
  const visit = await lab.open("embed=img-patches&grid=20x20&lang=en");
  const { page } = visit;
  const canvas = visit.figure("img-patches").locator("canvas");
  await states(visit, "img-patches", "patch", 210);
  await states(visit, "img-patches", "below-1d", meanCosine(20, 256));
  const box = await canvas.boundingBox();
  const took = await page.evaluate(async ([x, y]) => {
    const frame = () => new Promise((next) => requestAnimationFrame(next));
    const figure = document.querySelector("[data-figure]");
    const canvas = figure.querySelector("canvas");
    const rev = figure.dataset.rev;
    const from = canvas.getBoundingClientRect();
    await frame();
    const event = new MouseEvent("click", { bubbles: true, clientX: from.x + x, clientY: from.y + y });
    canvas.dispatchEvent(event);
    await frame();
    const start = performance.now();
    await frame();
    return { painted: figure.dataset.rev !== rev, ms: performance.now() - start };
  }, [box.width * 0.2, box.height * 0.12]);
  assert.ok(took.painted, "not painted in the next frame");
  await page.waitForFunction(() => new URLSearchParams(location.search).has("pos"));
  const pos = Number(query(visit).pos);
  await canvas.focus();
  const moves = [
    ["ArrowDown", 20],
    ["ArrowRight", 1],
    ["ArrowUp", -20],
    ["ArrowLeft", -1],
  ];
  let now = pos;
  for (const [key, by] of moves) {
    await page.keyboard.press(key);
    now += by;
    await states(visit, "img-patches", "patch", now);
  }
  for (let k = 0; k < 20; k += 1) await page.keyboard.press("ArrowLeft");
  await states(visit, "img-patches", "patch", pos - (pos % 20));
  for (let k = 0; k < 20; k += 1) await page.keyboard.press("ArrowUp");
  await states(visit, "img-patches", "patch", 0);
  visit.assertClean();
  await visit.close();
});

test("a table brought to a finer grid: neighbours are nearer interpolated than computed afresh", async () => {
  const visit = await lab.open("embed=img-resize&trained=14x14&grid=20x20&lang=en");
  const { page } = visit;
  for (const name of ["right-trained", "right-fresh"]) {
    await states(visit, "img-resize", name, (1 + meanCosine(1, 128)) / 2);
  }
  const near = await visit.value("right-interpolated");
  assert.ok(near > (await visit.value("right-fresh")) && near < 1);
  await page.locator("#img-resize-trained").fill("20x20");
  await page.locator("#img-resize-trained").press("Enter");
  await states(visit, "img-resize", "right-interpolated", (1 + meanCosine(1, 128)) / 2);
  visit.assertClean();
  await visit.close();
});

test("sizes in pixels and patches follow one another", async () => {
  const visit = await lab.open("embed=img-patches&lang=en");
  const { page } = visit;
  const typed = async (id, text) => {
    await page.locator(`#img-patches-${id}`).fill(text);
    await page.locator(`#img-patches-${id}`).press("Enter");
  };
  await typed("patch", "32");
  await states(visit, "img-patches", "patches", 49);
  await states(visit, "img-patches", "image-width", 224);
  await typed("image_size", "320x640");
  await states(visit, "img-patches", "patches", 200);
  await page.waitForFunction(() => /grid=10x20/.test(location.search) && /patch=32/.test(location.search));
  await typed("patch", "15");
  await page.locator("#img-patches-patch-wrong").getByText("315 × 630").waitFor();
  for (const [id, text, told] of [
    ["patch", "0", /out of range/],
    ["patch", "many", /not a number/],
    ["image_size", "huge", /rows x columns/],
    ["image_size", "1x2x3", /rows x columns/],
  ]) {
    await typed(id, text);
    await page.locator(`#img-patches-${id}-wrong`).getByText(told).waitFor();
  }
  // What is said is what is used, in pixels, and why.
  await typed("patch", "16");
  for (const [text, told, grid] of [
    ["112x112", "", "7x7"],
    ["abc", "112x112 px is used", "7x7"],
    ["0x0", "nearest, 16x16 px, is used", "1x1"],
    ["99999x3", "nearest, 1024x16 px, is used", "64x1"],
    ["2000x2000", "1 to 64 patches: 1024 × 1024 pixels", "64x64"],
    ["8x100", "1 to 64 patches: 16 × 96 pixels", "1x6"],
    ["100x100", "Not a multiple of the patch: whole patches, 96 × 96 pixels", "6x6"],
  ]) {
    await typed("image_size", text);
    const said = page.locator("#img-patches-image_size-wrong");
    if (told) await said.getByText(told).waitFor();
    else await said.and(page.locator(":empty")).waitFor({ state: "attached" });
    await page.waitForFunction((g) => new URLSearchParams(location.search).get("grid") === g, grid);
  }
  await page.locator("#img-patches-grid").fill("14×20");
  await page.locator("#img-patches-grid").press("Enter");
  await states(visit, "img-patches", "patches", 280);
  visit.assertClean();
  await visit.close();
});

test("an image from disk is shown and stays here; what is none gets a message", async () => {
  const visit = await lab.open("embed=img-patches&lang=en");
  const { page } = visit;
  const figure = visit.figure("img-patches");
  const input = page.locator("#img-patches-photo");
  const away = page.locator('[data-param="photo"] button');
  const rev = async () => Number(await figure.getAttribute("data-rev"));
  const looks = () => figure.locator("canvas").evaluate((c) => c.toDataURL());
  const drawn = await looks();
  const requests = visit.requests.length;
  const first = await rev();
  const file = (name, mimeType, buffer) => ({ name, mimeType, buffer });

  await input.setInputFiles(file("bars.png", "image/png", png(300, 200)));
  await away.waitFor();
  await page.waitForFunction(
    (before) => Number(document.querySelector('[data-figure="img-patches"]').dataset.rev) > before,
    first,
  );
  await visit.settled();
  const own = await looks();
  assert.notEqual(own, drawn);

  // Nothing that is no image changes what is shown.
  const before = await rev();
  for (const [name, kind, text] of [
    ["notes.txt", "text/plain", "no image"],
    ["lie.png", "image/png", "no image either"],
    ["empty.png", "image/png", ""],
  ]) {
    await input.setInputFiles(file(name, kind, Buffer.from(text)));
    await page.locator("#img-patches-photo-wrong").getByText(/no image/).waitFor();
  }
  assert.equal(await rev(), before);

  // 40 megapixels, and one that is much too high at the usual width.
  for (const [width, height] of [
    [8000, 5000],
    [3, 9000],
  ]) {
    const start = Date.now();
    const last = await looks();
    await input.setInputFiles(file(`${width}.png`, "image/png", png(width, height)));
    await page.waitForFunction(
      (was) => document.querySelector("canvas").toDataURL() !== was,
      last,
      { timeout: 20_000 },
    );
    assert.equal(await page.locator("#img-patches-photo-wrong").innerText(), "");
    assert.ok(Date.now() - start < 15_000);
  }
  assert.equal(new URL(page.url()).searchParams.has("photo"), false);
  assert.equal(visit.requests.length, requests, "an image caused a request");

  await away.click();
  await page.waitForFunction((was) => document.querySelector("canvas").toDataURL() === was, drawn);
  await input.setInputFiles(file("bars.png", "image/png", png(300, 200)));
  await away.waitFor();
  await page.locator("#img-patches-image").selectOption("rings");
  await away.waitFor({ state: "detached" });
  assert.equal(query(visit).image, "rings");
  visit.assertClean();
  await visit.close();
});

test("a window that is no square: pointing and arrow keys tell the difference and the row", async () => {
  const visit = await lab.open("embed=swin-index&window=2x3&i=5&j=0&lang=en");
  const { page } = visit;
  const figure = visit.figure("swin-index");
  await states(visit, "swin-index", "table-rows", 15);
  await states(visit, "swin-index", "delta-row", 1);
  await states(visit, "swin-index", "delta-column", 2);
  await states(visit, "swin-index", "index", 14);
  const canvas = figure.locator("canvas");
  // The first cell of the window, as the query sees it.
  await canvas.hover({ position: { x: 60, y: 40 } });
  await figure.locator(".tip").getByText(/i = 5 .* j = 0 .*= 14\./).waitFor();
  await canvas.focus();
  await page.keyboard.press("ArrowRight");
  await states(visit, "swin-index", "delta-column", 1);
  await states(visit, "swin-index", "index", 13);
  for (const [typed, told] of [
    ["0x3", /out of range/],
    ["wide", /rows x columns/],
  ]) {
    await page.locator("#swin-index-window").fill(typed);
    await page.locator("#swin-index-window").press("Enter");
    await page.locator("#swin-index-window-wrong").getByText(told).waitFor();
  }
  await states(visit, "swin-index", "table-rows", 169);
  visit.assertClean();
  await visit.close();
});

test("bad grids and encodings in the address get a notice and a live page", async () => {
  for (const [address, name] of [
    ["grid=0x5", "grid"],
    ["grid=many", "grid"],
    ["patch=-1", "patch"],
    ["window=99x99", "window"],
    ["scheme2d=3d", "scheme2d"],
    ["scheme2d=sincos&d_model=6", "scheme2d"],
    ["image=dog", "image"],
  ]) {
    for (const lang of ["zh", "en"]) {
      const visit = await lab.open(`page=multimodal&${address}&lang=${lang}`);
      const told = await visit.page.locator("[data-notice] span").allTextContents();
      assert.equal(told.length, 1, `${address}: ${told}`);
      assert.ok(told[0].includes(name), told[0]);
      visit.assertClean();
      await visit.close();
    }
  }
});

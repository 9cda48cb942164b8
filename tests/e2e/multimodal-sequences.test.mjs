// Sequences of text, images, video and audio, and sound cut into frames: controls, bad input, the visitor's recording.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Lab } from "./lab.mjs";

let lab;
before(async () => {
  lab = await Lab.start();
});
after(() => lab?.close());

const asked = (page, name) => new URL(page.url()).searchParams.get(name);

/** Waits until the address says so. */
const becomes = (page, name, value) =>
  page.waitForFunction(([n, v]) => new URLSearchParams(location.search).get(n) === v, [name, value]);

/** Waits until a number of the figure has this value. */
const shows = (page, name, value) =>
  page.waitForFunction(
    ([n, v]) => Math.abs(Number(document.querySelector(`[data-value="${n}"]`)?.dataset.number ?? NaN) - v) < 1e-9,
    [name, value],
  );

test("a sequence is built with the controls, by pointer and by keys, and the address follows", async () => {
  const visit = await lab.open("embed=mrope-grid&blocks=text:3,image:2x3&lang=en");
  const { page } = visit;
  await shows(page, "tokens", 9);
  await shows(page, "ids", 6);
  await page.locator('[data-add="video"]').click();
  await becomes(page, "blocks", "text:3,image:2x3,video:2x2x2");
  await shows(page, "tokens", 17);
  const rows = page.locator(".blocks li");
  await rows.nth(1).locator('[data-size="0"]').fill("32");
  await rows.nth(1).locator('[data-size="1"]').fill("32");
  await rows.nth(1).locator('[data-size="1"]').press("Enter");
  await becomes(page, "blocks", "text:3,image:32x32,video:2x2x2");
  await shows(page, "tokens", 3 + 1024 + 8);
  await shows(page, "ids", 3 + 32 + 2);
  // Keys alone: the video one place up, then gone.
  await rows.nth(2).locator("button").first().focus();
  await page.keyboard.press("Enter");
  await becomes(page, "blocks", "text:3,video:2x2x2,image:32x32");
  await rows.nth(1).locator("button").last().focus();
  await page.keyboard.press("Enter");
  await becomes(page, "blocks", "text:3,image:32x32");
  // A size that is none is explained, and the field shows what is used.
  const size = rows.nth(1).locator('[data-size="0"]');
  await size.fill("0");
  await size.press("Enter");
  await page.locator("#blocks-wrong").getByText(/image 2 · rows.*“0” is out of range; the nearest, 1,/i).waitFor();
  assert.equal(await size.inputValue(), "1");
  // One that is too large or no number costs nobody the block.
  for (const [typed, told, rows] of [
    ["99999", /“99999” is out of range; the nearest, 127,/, "127"],
    ["", /is not a number; 127 is used/, "127"],
  ]) {
    await size.fill(typed);
    await size.press("Enter");
    await page.locator("#blocks-wrong").getByText(told).waitFor();
    assert.equal(await size.inputValue(), rows);
    await becomes(page, "blocks", `text:3,image:${rows}x32`);
  }
  await page.locator("#blocks-text").fill("audio:8,text:2");
  await page.locator("#blocks-text").press("Enter");
  await becomes(page, "blocks", "audio:8,text:2");
  await shows(page, "tokens", 10);
  visit.assertClean();
  await visit.close();
});

test("the names of the versions are not cut off, and a refused sequence gives the default", async () => {
  const visit = await lab.open("embed=mrope-grid&blocks=image:100x100&lang=en");
  const { page } = visit;
  await page.locator('[data-notice="no-block"]').getByText("the default, text:3,").waitFor();
  for (const width of [390, 640, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    const [room, needed] = await page.locator("#mrope-grid-mrope").evaluate((select) => {
      // As wide as its longest entry if nothing holds it.
      const free = select.cloneNode(true);
      free.style.cssText = "position: absolute; width: max-content";
      select.parentElement.append(free);
      const widths = [select.offsetWidth, free.offsetWidth];
      free.remove();
      return widths;
    });
    assert.ok(room >= needed, `${width}: ${room} < ${needed}`);
  }
  visit.assertClean();
  await visit.close();
});

test("versions number a video differently", async () => {
  const visit = await lab.open("embed=mrope-grid&blocks=text:1,video:3x1x1,text:1&q=4&fps=1");
  const { page } = visit;
  for (const [version, t] of [
    ["qwen25vl", 1 + 8 + 1],
    ["qwen3vl", 4],
    ["qwen2vl", 4],
  ]) {
    await page.locator("#mrope-grid-mrope").selectOption(version);
    await shows(page, "t", t);
  }
  visit.assertClean();
  await visit.close();
});

test("the modality bias is typed, counts in the scores and stands in the address", async () => {
  const visit = await lab.open("embed=modality-bias&lang=en");
  const { page } = visit;
  await page.locator('[data-value="score"][data-number]').waitFor();
  const plain = await visit.value("score");
  const cell = page.locator('[data-pair="text:image"]');
  await cell.fill("1.5");
  await cell.press("Enter");
  await becomes(page, "mod_bias", "text:image:1.5");
  await shows(page, "score", plain + 1.5);
  await cell.fill("much");
  await cell.press("Enter");
  await page.locator("#mod-bias-wrong").getByText("much").waitFor();
  assert.equal(await cell.inputValue(), "1.5");
  await cell.fill("0");
  await cell.press("Enter");
  await page.waitForFunction(() => !location.search.includes("mod_bias"));
  visit.assertClean();
  await visit.close();
});

test("a tap on a cell of the sequence chooses the query, one on a map the key", async () => {
  const visit = await lab.open("embed=mrope-grid&blocks=image:4x4&q=0");
  const { page } = visit;
  const canvas = visit.figure("mrope-grid").locator("canvas");
  // Below the words of the block, in its first column.
  await canvas.click({ position: { x: 16, y: 150 } });
  await page.waitForFunction(() => Number(new URLSearchParams(location.search).get("q")) > 0);
  const query = Number(asked(page, "q"));
  await canvas.focus();
  await page.keyboard.press("ArrowRight");
  await becomes(page, "q", String(query + 1));
  visit.assertClean();
  await visit.close();

  const maps = await lab.open("embed=mrope-scores&blocks=image:4x4,text:2&q=17&k=0");
  const map = maps.figure("mrope-scores").locator("canvas");
  await map.click({ position: { x: 20, y: 150 } });
  await maps.page.waitForFunction(() => Number(new URLSearchParams(location.search).get("k")) > 0);
  assert.equal(Number(asked(maps.page, "k")) % 4, 0);
  maps.assertClean();
  await maps.close();
});

test("bad sequences get a notice and a live page", async () => {
  for (const [query, told] of [
    ["blocks=image:0x5", /image:1x5/],
    ["blocks=picture:3", /picture:3/],
    ["blocks=text:9999", /text:4096/],
    ["blocks=image:64x64,text:1", /4096/],
    ["mrope=qwen9", /qwen2vl/],
    ["fps=-1", /0.01/],
    ["mod_bias=text:smell:1", /mod_bias/],
    ["seconds=99999&rate=x", /7200/],
  ]) {
    for (const lang of ["zh", "en"]) {
      const visit = await lab.open(`embed=mrope-grid&${query}&lang=${lang}`);
      const text = (await visit.page.locator("[data-notice] span").allTextContents()).join();
      assert.match(text, told, query);
      if (lang === "zh") assert.match(text, /\p{Script=Han}/u);
      await visit.page.locator('[data-value="tokens"][data-number]').waitFor();
      visit.assertClean();
      await visit.close();
    }
  }
});

/** Milliseconds until the figure has been painted with a new length. */
const paintTime = (page, seconds) =>
  page.evaluate(async (wanted) => {
    const figure = document.querySelector('[data-figure="audio-frames"]');
    const field = document.querySelector("#audio-frames-seconds");
    const rev = figure.dataset.rev;
    const start = performance.now();
    field.value = String(wanted);
    field.dispatchEvent(new Event("change", { bubbles: true }));
    while (figure.dataset.rev === rev) await new Promise((next) => setTimeout(next, 0));
    return performance.now() - start;
  }, seconds);

test("two hours are drawn as quickly as seconds", async () => {
  const visit = await lab.open("embed=audio-frames&rate=200");
  const { page } = visit;
  await page.locator('[data-value="frames"][data-number]').waitFor();
  const times = { short: [], long: [] };
  for (let k = 0; k < 7; k += 1) {
    times.short.push(await paintTime(page, 1 + k));
    times.long.push(await paintTime(page, 7200 - k));
  }
  const middle = (all) => all.toSorted((a, b) => a - b)[3];
  assert.ok(middle(times.long) < 2 * middle(times.short) + 20, JSON.stringify(times));
  await shows(page, "frames", (7200 - 6) * 200);
  visit.assertClean();
  await visit.close();
});

/** A WAV file of clicks: 16 bits, one channel. */
function wav(seconds, rate = 8000) {
  const samples = seconds * rate;
  const file = Buffer.alloc(44 + 2 * samples);
  file.write("RIFF", 0);
  file.writeUInt32LE(36 + 2 * samples, 4);
  file.write("WAVEfmt ", 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(rate, 24);
  file.writeUInt32LE(2 * rate, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write("data", 36);
  file.writeUInt32LE(2 * samples, 40);
  // A click every half second, a fiftieth of a second long.
  for (let k = 0; k < samples; k += 1) if (k % (rate / 2) < rate / 50) file.writeInt16LE(20000, 44 + 2 * k);
  return file;
}

test("a file of sound is shown and stays out of the address; one that is none is refused with a reason", async () => {
  const visit = await lab.open("embed=audio-frames&lang=en");
  const { page } = visit;
  const file = page.locator('[data-sound="file"]');
  const said = page.locator('[data-sound="said"]');
  const sentence = visit.figure("audio-frames").locator(".sentence");
  for (const bad of [
    { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("no sound at all") },
    { name: "empty.wav", mimeType: "audio/wav", buffer: Buffer.alloc(0) },
    { name: "cut.wav", mimeType: "audio/wav", buffer: wav(1).subarray(0, 30) },
  ]) {
    await file.setInputFiles(bad);
    await said.getByText("no sound that it can decode").waitFor();
    await sentence.getByText("drum").waitFor();
  }
  await file.setInputFiles({ name: "silent.wav", mimeType: "audio/wav", buffer: wav(1).fill(0, 44) });
  await said.getByText("silent").waitFor();
  await file.setInputFiles({ name: "clicks.wav", mimeType: "audio/wav", buffer: wav(7) });
  await sentence.getByText("Your recording, 7 s").waitFor();
  await becomes(page, "seconds", "7");
  await shows(page, "frames", 350);
  assert.equal(await said.innerText(), "");
  assert.doesNotMatch(page.url(), /clicks|blob|data/);
  await page.locator('[data-sound="drum"]').click();
  await sentence.getByText("drum").waitFor();
  visit.assertClean();
  await visit.close();
});

test("a refused microphone is explained beside the button, and a recording is taken where it is allowed", async () => {
  const refused = await lab.open("embed=audio-frames&lang=en");
  await refused.page.locator('[data-sound="microphone"]').click();
  await refused.page.locator('[data-sound="said"]').getByText("no microphone").waitFor();
  await refused.page.locator("#audio-frames-seconds").fill("90");
  await refused.page.locator("#audio-frames-seconds").press("Enter");
  await shows(refused.page, "frames", 4500);
  refused.assertClean();
  await refused.close();

  const absent = await lab.open("embed=audio-frames&lang=en", {
    before: (page) =>
      page.addInitScript(() => Object.defineProperty(navigator, "mediaDevices", { get: () => undefined })),
  });
  await absent.page.locator('[data-sound="microphone"]').click();
  await absent.page.locator('[data-sound="said"]').getByText("no microphone").waitFor();
  absent.assertClean();
  await absent.close();

  // A microphone that hums.
  const visit = await lab.open("embed=audio-frames&lang=en", {
    before: (page) =>
      page.addInitScript(() => {
        navigator.mediaDevices.getUserMedia = async () => {
          const context = new AudioContext();
          const hum = context.createOscillator();
          const out = context.createMediaStreamDestination();
          hum.connect(out);
          hum.start();
          globalThis.microphone = out.stream;
          return out.stream;
        };
      }),
  });
  const { page } = visit;
  const button = page.locator('[data-sound="microphone"]');
  await button.click();
  await page.locator('[data-sound="said"]').getByText("Recording").waitFor();
  await page.waitForTimeout(1500); // the length of what is recorded
  await button.click();
  await visit.figure("audio-frames").locator(".sentence").getByText("Your recording").waitFor();
  assert.deepEqual(await page.evaluate(() => globalThis.microphone.getTracks().map((t) => t.readyState)), ["ended"]);
  visit.assertClean();
  await visit.close();
});

test("buttons of the blocks that are pressed before their rows have gone break nothing", async () => {
  const visit = await lab.open("page=multimodal&lang=en");
  const { page } = visit;
  const blocks = page.locator('[data-param="blocks"]').first();
  await blocks.locator("li").first().waitFor();
  await blocks.evaluate((list) => {
    for (const button of [...list.querySelectorAll("li button")]) button.click();
  });
  await visit.settled();
  assert.ok((await blocks.locator("li").count()) >= 1, "the last one stays");
  visit.assertClean();
  await visit.close();
});

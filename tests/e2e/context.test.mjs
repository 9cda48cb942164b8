// The page `context`: models with one click, a pasted config.json, controls that follow the remedy.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Lab } from "./lab.mjs";

let lab;
before(async () => {
  lab = await Lab.start();
});
after(() => lab?.close());

const number = (visit, figure, name) =>
  visit.page.locator(`[data-figure="${figure}"] [data-value="${name}"]`).getAttribute("data-number").then(Number);
const params = (visit) => new URLSearchParams(new URL(visit.page.url()).search);
const painted = (visit, figure) => visit.page.locator(`[data-figure="${figure}"]:not([data-rev="0"])`).waitFor();

test("a model is taken with one click, one control keeps the rest, and a second click leaves it", async () => {
  const visit = await lab.open("page=context&lang=en");
  const button = visit.page.locator('[data-preset="llama-3.1-8b"]');
  await button.click();
  await visit.page.waitForFunction(() => location.search.includes("preset=llama-3.1-8b"));
  assert.equal(await button.getAttribute("aria-pressed"), "true");
  await visit.figure("ctx-scaling").scrollIntoViewIfNeeded();
  await painted(visit, "ctx-scaling");
  assert.equal(await number(visit, "ctx-scaling", "last-ratio"), 1 / 8);
  const factor = visit.page.locator("#ctx-scaling-factor");
  await factor.fill("4");
  await factor.press("Enter");
  await visit.page.waitForFunction(() => location.search.includes("factor=4"));
  assert.equal(params(visit).get("preset"), "llama-3.1-8b");
  await visit.page.locator('[data-figure="ctx-scaling"] [data-value="last-ratio"][data-number="0.25"]').waitFor({ state: "attached" });
  await button.click();
  await visit.page.waitForFunction(() => !location.search.includes("preset"));
  assert.equal(params(visit).get("factor"), null);
  visit.assertClean();
  await visit.close();
});

test("only parameters that mean something under the remedy are shown", async () => {
  const shown = async (query, name) => {
    const visit = await lab.open(`page=context&${query}`);
    const count = await visit.page.locator(`[data-figure="ctx-angles"] [data-param="${name}"]`).count();
    await visit.close();
    return count;
  };
  for (const [query, name, count] of [
    ["", "factor", 0],
    ["scaling=linear", "factor", 1],
    ["scaling=linear", "beta_fast", 0],
    ["scaling=yarn", "beta_fast", 1],
    ["scaling=yarn", "low_freq_factor", 0],
    ["scaling=llama3", "low_freq_factor", 1],
  ])
    assert.equal(await shown(query, name), count, `${query} ${name}`);
});

test("a pasted config is explained, its mistakes are told beside the field, and it can be applied", async () => {
  const visit = await lab.open("page=context&lang=en&scaling=llama3&factor=32");
  const field = visit.page.locator("#config-text");
  const apply = visit.page.locator(".config .apply");
  const problem = (code) => visit.page.locator(`#config-problems [data-problem="${code}"]`).waitFor();
  const yarn = (more) => JSON.stringify({ rope_scaling: { rope_type: "yarn", ...more } });
  for (const [text, code] of [
    ['{"rope_scaling": {', "json"],
    [yarn({ factor: 0, original_max_position_embeddings: 4096 }), "not-positive"],
    [yarn({ factor: 4 }), "missing-original"],
    [JSON.stringify({ rope_scaling: { rope_type: "magic", factor: 4 } }), "unknown-type"],
  ]) {
    await field.fill(text);
    await problem(code);
    assert.ok(await apply.isDisabled(), code);
    assert.equal(await field.getAttribute("aria-invalid"), "true");
  }
  const config = { hidden_size: 3584, num_attention_heads: 28, rope_theta: 1e6, vocab_size: 9 };
  const scaling = { rope_type: "yarn", factor: 4, original_max_position_embeddings: 32768 };
  await field.fill(JSON.stringify({ ...config, rope_scaling: scaling }));
  await visit.page.getByText("vocab_size", { exact: false }).last().waitFor();
  await apply.click();
  await visit.page.waitForFunction(() => location.search.includes("scaling=yarn"));
  const now = params(visit);
  for (const [name, value] of Object.entries({ d_model: "3584", heads: "28", base: "1000000", orig_len: "32768" }))
    assert.equal(now.get(name), value, name);
  assert.equal(now.get("factor"), null, "the default");
  visit.assertClean();
  await visit.close();
});

test("a config's kinds of layer are chosen from, and what is assumed or unused is said", async () => {
  const visit = await lab.open("page=context&lang=en");
  const gemma = { model_type: "gemma3_text", hidden_size: 2560, rope_local_base_freq: 10000, sliding_window: 1024 };
  await visit.page.locator("#config-text").fill(JSON.stringify(gemma));
  const kinds = visit.page.locator("#config-layer");
  assert.deepEqual(await kinds.locator("option").allInnerTexts(), ["full_attention", "sliding_attention"]);
  await visit.page.locator(".config .assumed", { hasText: "rope_theta = 1000000" }).waitFor();
  await visit.page.locator(".config .unused", { hasText: "sliding_window: 1024" }).waitFor();
  await visit.page.locator(".config .apply").click();
  await visit.page.waitForFunction(() => location.search.includes("base=1000000"));
  await kinds.selectOption({ label: "sliding_attention" });
  await visit.page.locator(".config .apply").click();
  await visit.page.waitForFunction(() => new URLSearchParams(location.search).get("base") === "10000");
  visit.assertClean();
  await visit.close();
});

test("a model without RoPE has nothing to apply, and what was computed with is kept", async () => {
  const visit = await lab.open("page=context&lang=en");
  const field = visit.page.locator("#config-text");
  await field.fill('{"alibi": true, "hidden_size": 64, "num_attention_heads": 4}');
  await visit.page.locator('#config-problems [data-problem="not-rope"]').waitFor();
  assert.ok(await visit.page.locator(".config .apply").isDisabled());
  const scaling = { rope_type: "yarn", factor: 32, original_max_position_embeddings: 4096, truncate: false };
  await field.fill(JSON.stringify({ head_dim: 64, rope_theta: 150000, rope_scaling: { ...scaling, attention_factor: 1.5 } }));
  await visit.page.locator(".config .apply").click();
  await visit.page.waitForFunction(() => location.search.includes("truncate=0"));
  assert.equal(params(visit).get("attention_factor"), "1.5");
  visit.assertClean();
  await visit.close();
});

test("what is locked stays, whatever a model or a config would set", async () => {
  const visit = await lab.open("page=context&lang=en&scaling=yarn&lock=scaling");
  assert.ok(await visit.page.locator('[data-preset="qwen2.5-7b"]').isDisabled());
  await visit.page.locator("#config-text").fill('{"rope_scaling": {"rope_type": "linear", "factor": 2}}');
  await visit.page.getByText("Parameters are locked here").waitFor();
  assert.ok(await visit.page.locator(".config .apply").isDisabled());
  visit.assertClean();
  await visit.close();
});

test("a config with an absurd head is explained, and the page lives", async () => {
  const visit = await lab.open("page=context&lang=en");
  await visit.page.locator("#config-text").fill('{"rope_theta": 10000, "head_dim": 1000000000}');
  await visit.page.locator('#config-problems [data-problem="too-wide"]').waitFor();
  await visit.page.locator("#config-text").fill('{"rope_theta": 10000, "head_dim": 128}');
  await visit.page.waitForFunction(() => !document.querySelector(".config .apply").disabled);
  visit.assertClean();
  await visit.close();
});

test("an arrow goes from pair to pair, and the name of a figure is in one language", async () => {
  const visit = await lab.open("page=context&lang=en");
  const canvas = visit.figure("ctx-wavelengths").locator("canvas");
  await canvas.scrollIntoViewIfNeeded();
  await canvas.focus();
  await canvas.press("ArrowRight");
  await visit.page.waitForFunction(() => location.search.includes("dim=6"));
  await visit.page.waitForFunction(
    () => !/[\u3002\u4e00-\u9fff]/.test(document.querySelector("#ctx-wavelengths canvas").getAttribute("aria-label")),
  );
  visit.assertClean();
  await visit.close();
});

// The page as the browser tests see it. One `Lab` per spec file: one server, one browser; each `open` is a visitor of
// its own, with empty storage.
import assert from "node:assert/strict";
import { accessSync, constants, mkdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { serve } from "./server.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
export const DIST = process.env.DIST ?? here("../../dist"); // another build, to compare
export const SHOTS = here("shots");

const FLAGS = [
  "--no-sandbox", // containers have no user namespaces; nothing foreign is opened
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function findChromium() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
  const folders = (process.env.PATH ?? "").split(delimiter);
  const found = names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
  assert.ok(found, "no chromium on PATH: set CHROMIUM to its path");
  return found;
}

export class Lab {
  /** @param {{dist?: string}} [options] */
  static async start({ dist = DIST } = {}) {
    const server = await serve(dist);
    try {
      const browser = await chromium.launch({ executablePath: findChromium(), args: FLAGS });
      return new Lab(server, browser, dist);
    } catch (error) {
      await server.close();
      throw error;
    }
  }

  constructor(server, browser, dist) {
    Object.assign(this, { server, browser, dist });
  }

  /** The address of the page with a query ("page=rope&lang=en", with or without the question mark). */
  url(query = "") {
    return this.server.url + (query && `?${query.replace(/^\?/, "")}`);
  }

  /**
   * Opens the page and waits until its first figures are painted.
   *
   * @param {string} [query]
   * @param {object} [options] size in CSS pixels, device pixel ratio, colour scheme, language of the browser, touch;
   *   `motion: false` prefers reduced motion; `ready: false` does not wait; `before(page)` runs before the page loads
   * @returns {Promise<Visit>}
   */
  async open(query = "", options = {}) {
    const { width = 1280, height = 800, dpr = 1, dark = false, locale = "zh-CN" } = options;
    const { touch = false, motion = true, ready = true, before } = options;
    const context = await this.browser.newContext({
      viewport: { width, height },
      deviceScaleFactor: dpr,
      colorScheme: dark ? "dark" : "light",
      reducedMotion: motion ? "no-preference" : "reduce",
      locale,
      hasTouch: touch,
      isMobile: touch,
    });
    const page = await context.newPage();
    const visit = new Visit(this, context, page);
    await visit.watch();
    await before?.(page);
    await page.goto(this.url(query));
    if (ready) await visit.ready();
    return visit;
  }

  async close() {
    await this.browser.close();
    await this.server.close();
  }
}

/** One open page. `page` is playwright's; `problems` lists what `assertClean` would complain about. */
export class Visit {
  problems = [];
  /** Paths below the page's folder, in the order in which they were asked for; "" is the page itself. */
  requests = [];

  constructor(lab, context, page) {
    Object.assign(this, { lab, context, page });
  }

  async watch() {
    const { origin, url } = this.lab.server;
    const isForeign = (address) => /^(https?|wss?):$/.test(address.protocol) && address.host !== new URL(origin).host;
    // Noted, and not let through either: a test must not depend on the network.
    await this.context.route(isForeign, (route) => {
      this.problems.push(`foreign request: ${route.request().url()}`);
      return route.abort();
    });
    this.page.on("websocket", (socket) => this.problems.push(`web socket: ${socket.url()}`));
    this.page.on("request", (request) => {
      if (request.url().startsWith(url)) this.requests.push(request.url().slice(url.length).split(/[?#]/, 1)[0]);
    });
    this.page.on("response", (response) => {
      if (response.status() >= 400) this.problems.push(`status ${response.status()}: ${response.url()}`);
    });
    this.page.on("pageerror", (error) => this.problems.push(`page error: ${error.message}`));
    this.page.on("console", (message) => {
      if (message.type() === "error") this.problems.push(`console error: ${message.text()}`);
    });
  }

  async ready() {
    await this.page.waitForSelector("html[data-ready]", { state: "attached", timeout: 20_000 }).catch((error) => {
      throw new Error([error.message, ...this.problems].join("\n"));
    });
  }

  /** No error on the console or in a script, no failed request, no request that leaves the page's origin. */
  assertClean() {
    assert.deepEqual(this.problems, []);
  }

  /** A number that the page states, at full precision; waits until it is there. */
  async value(name) {
    const text = await this.page.locator(`[data-value="${name}"]`).first().getAttribute("data-number");
    assert.ok(text !== null && text.trim() !== "", `[data-value="${name}"] has no data-number`);
    const number = Number(text);
    assert.ok(!Number.isNaN(number), `[data-value="${name}"] has data-number="${text}"`);
    return number;
  }

  /** The locator of a figure. */
  figure(id) {
    return this.page.locator(`[data-figure="${id}"]`);
  }

  /** The locator of a question, in the text or beside its figure. */
  question(id) {
    return this.page.locator(`[data-question="${id}"]`);
  }

  /** Waits until the text of the lesson is there, shown or folded. */
  async textReady() {
    await this.page.locator("main .prose").first().waitFor({ state: "attached" });
  }

  /** Waits until no figure has been painted for so many frames in a row. */
  async settled(frames = 30) {
    await this.page.evaluate(async (wanted) => {
      const counts = () => [...document.querySelectorAll("[data-figure]")].map((f) => f.dataset.rev).join();
      for (let still = 0, before = counts(); still < wanted; still += 1) {
        await new Promise((next) => requestAnimationFrame(next));
        if (counts() !== before) [still, before] = [0, counts()];
      }
    }, frames);
  }

  /** A picture of the whole page in shots/, for people to look at. */
  async shot(name) {
    mkdirSync(SHOTS, { recursive: true });
    const path = join(SHOTS, `${name.replace(/[^\p{L}\p{N}._=-]+/gu, "-")}.png`);
    await this.page.screenshot({ path, fullPage: true });
    return path;
  }

  async close() {
    await this.context.close();
  }
}

/** For `before`: keeps the program's memory at hand, as `programMemory`. */
export function keepMemory(page) {
  return page.addInitScript(() => {
    for (const name of ["instantiate", "instantiateStreaming"]) {
      const make = WebAssembly[name];
      WebAssembly[name] = async (...given) => {
        const made = await make.apply(WebAssembly, given);
        globalThis.programMemory ??= (made.instance ?? made).exports.memory;
        return made;
      };
    }
  });
}

/**
 * Moves a figure's slider to and fro between a few neighbouring values: `events` times a frame, for so many frames.
 * The slider stays where it is on the screen.
 */
export function drag(page, figure, param, frames, events = 1) {
  return page.evaluate(
    async ([figure, param, frames, events]) => {
      const slider = document.querySelector(`[data-figure="${figure}"] [data-param="${param}"] input[type="range"]`);
      const [start, step] = [Number(slider.value), Number(slider.step)];
      const way = start > (Number(slider.min) + Number(slider.max)) / 2 ? -1 : 1;
      for (let k = 0; k < frames * events; k += 1) {
        slider.value = String(start + way * step * ((k % 7) + 1));
        slider.dispatchEvent(new Event("input", { bubbles: true }));
        // What follows from one event is done before the next comes, as between two real ones.
        for (let turn = 0; turn < 20; turn += 1) await null;
        if (k % events === events - 1) await new Promise((next) => requestAnimationFrame(next));
      }
    },
    [figure, param, frames, events],
  );
}

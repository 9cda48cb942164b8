// node tests/e2e/shots.mjs [QUERY…]  pictures of the page, for people to look at, in tests/e2e/shots/.
// Each query in each of the settings below; "embedded" shows the first figure of the page alone, as in a frame.
import { Lab } from "./lab.mjs";

const SETTINGS = {
  desktop: { width: 1280, height: 800 },
  phone: { width: 390, height: 844, dpr: 2, touch: true },
  dark: { width: 1280, height: 800, dark: true },
  english: { width: 1280, height: 800, locale: "en-US" },
  embedded: { width: 640, height: 400, embed: true },
};

async function firstFigure(lab, query) {
  const visit = await lab.open(query);
  const figures = visit.page.locator("[data-figure]");
  const id = (await figures.count()) > 0 ? await figures.first().getAttribute("data-figure") : null;
  await visit.close();
  return id;
}

const queries = process.argv.length > 2 ? process.argv.slice(2) : [""];
const lab = await Lab.start();
let problems = 0;
try {
  for (const given of queries) {
    const query = given.replace(/^\?/, "");
    for (const [name, { embed, ...options }] of Object.entries(SETTINGS)) {
      let shown = query;
      if (embed && !new URLSearchParams(query).has("embed")) {
        const id = await firstFigure(lab, query);
        if (id === null) continue;
        shown = [query, `embed=${id}`].filter(Boolean).join("&");
      }
      const visit = await lab.open(shown, options);
      // Figures below the screen follow when things have come to rest.
      await visit.page.waitForFunction(() => !document.querySelector('[data-figure][data-rev="0"]'));
      console.log(await visit.shot(`${decodeURIComponent(query) || "start"} ${name}`));
      for (const problem of visit.problems) console.error(`  ${problem}`);
      problems += visit.problems.length;
      await visit.close();
    }
  }
} finally {
  await lab.close();
}
process.exitCode = problems > 0 ? 1 : 0;

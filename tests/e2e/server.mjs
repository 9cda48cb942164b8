// Serves a folder under a sub-path, as course notes on a shared host do. Nothing else is reachable through it.
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, resolve, sep } from "node:path";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".md": "text/markdown; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".csv": "text/csv; charset=utf-8",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
};

/** The file that a request path names, or null if it names none inside the folder. */
export function fileFor(root, prefix, path) {
  let decoded;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return null;
  }
  if (!decoded.startsWith(prefix) || decoded.includes("\0")) return null;
  const rest = decoded.slice(prefix.length);
  const file = resolve(root, `.${sep}${rest === "" || rest.endsWith("/") ? `${rest}index.html` : rest}`);
  return file.startsWith(root + sep) ? file : null;
}

/**
 * @returns {Promise<{url: string, origin: string, close: () => Promise<void>}>} on a free port of this machine
 */
export async function serve(folder, { prefix = "/some/sub/path/", port = 0 } = {}) {
  const root = resolve(folder);
  await stat(join(root, "index.html")).catch(() => {
    throw new Error(`no ${join(folder, "index.html")}: ./dev build makes it`);
  });
  const server = createServer(async (request, response) => {
    const answer = (status) => response.writeHead(status, { "content-type": "text/plain" }).end(`${status}\n`);
    if (request.method !== "GET" && request.method !== "HEAD") return answer(405);
    const file = fileFor(root, prefix, request.url.split(/[?#]/, 1)[0]);
    const found = file && (await stat(file).catch(() => null));
    if (!found?.isFile()) return answer(404);
    response.writeHead(200, {
      "access-control-allow-origin": "*", // for sandboxed frames, which have no origin
      "content-type": TYPES[extname(file)] ?? "application/octet-stream",
      "content-length": found.size,
      "cache-control": "no-store",
    });
    if (request.method === "HEAD") return response.end();
    createReadStream(file)
      .on("error", () => response.destroy())
      .pipe(response);
  });
  await new Promise((done, fail) => server.once("error", fail).listen(port, "127.0.0.1", done));
  const origin = `http://127.0.0.1:${server.address().port}`;
  return {
    origin,
    url: origin + prefix,
    close: () =>
      new Promise((done) => {
        server.close(done);
        server.closeAllConnections();
      }),
  };
}

// node server.mjs [PORT]: to look at dist/ by hand.
if (process.argv[1] && import.meta.url === new URL(`file://${resolve(process.argv[1])}`).href) {
  const { url } = await serve(new URL("../../dist", import.meta.url).pathname, { port: Number(process.argv[2] ?? 0) });
  console.log(url);
}

#!/usr/bin/env node
// Checks the types in the scripts of all pages: those of a page share one scope, as in the browser.
"use strict";

const { execFileSync } = require("child_process");
const fs = require("fs");
const path = require("path");

const root = path.resolve(process.argv[2] ?? path.join(__dirname, "../.."));
const home = path.join(root, "crates/pages");
const tsc = fs.realpathSync(execFileSync("sh", ["-c", "command -v tsc"], { encoding: "utf8" }).trim());
const typescript = require(path.resolve(tsc, "../../lib/typescript.js"));
const { config } = typescript.readConfigFile(path.join(home, "tsconfig.json"), (file) => fs.readFileSync(file, "utf8"));
const { options } = typescript.parseJsonConfigFileContent(config, typescript.sys, home);
const host = typescript.createCompilerHost(options);
// The library is read once for all pages.
const [read, known] = [host.getSourceFile, new Map()];
host.getSourceFile = (name, ...rest) => known.get(name) ?? known.set(name, read(name, ...rest)).get(name);

const filesIn = (folder, ending) => typescript.sys.readDirectory(path.join(root, folder), [ending], ["**/target"]).map((file) => path.relative(root, file));
const scriptsIn = (folder) => filesIn(folder, ".js");
const types = ["src", "crates"].flatMap((folder) => filesIn(folder, ".d.ts"));
// A folder stands for all of its scripts.
const pages = config.pages.map((page) => page.flatMap((file) => (file.endsWith("/") ? scriptsIn(file) : file)));
const found = new Set();
for (const page of pages) {
  const program = typescript.createProgram([...page, ...types].map((file) => path.join(root, file)), options, host);
  for (const { file, start, messageText } of typescript.getPreEmitDiagnostics(program)) {
    const text = typescript.flattenDiagnosticMessageText(messageText, " ");
    const { line } = file?.getLineAndCharacterOfPosition(start) ?? {};
    found.add(file ? `${path.relative(root, file.fileName)}:${line + 1}: ${text}` : text);
  }
}
const listed = new Set(pages.flat());
for (const script of ["src", "crates", "games", "tools"].flatMap(scriptsIn)) {
  if (!listed.has(script)) found.add(`${script}: no page of crates/pages/tsconfig.json has it`);
}
found.forEach((line) => console.error(line));
process.exit(found.size ? 1 : 0);

#!/usr/bin/env node
// Runs on any Node version. Finds one that is new enough and starts the built program with it.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const NEEDED = 24;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

const shim = fileURLToPath(import.meta.url);
const root = fileURLToPath(new URL('../../../', import.meta.url));
const program = join(root, 'dist', 'apps', 'cli', 'src', 'main.js');
const ownNode = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

function fail(message) {
  process.stderr.write(`agent-traffic: ${message}\n`);
  process.exitCode = 1;
}

function runWithOwnNode() {
  const child = spawn(ownNode, [shim, ...process.argv.slice(2)], { stdio: 'inherit' });
  const pass = (signal) => child.kill(signal);
  for (const signal of SIGNALS) process.on(signal, pass);
  child.on('error', (error) => fail(`could not start ${ownNode}: ${error.message}`));
  child.on('exit', (code, signal) => {
    for (const name of SIGNALS) process.off(name, pass);
    if (signal === null) process.exitCode = code ?? 1;
    else process.kill(process.pid, signal);
  });
}

if (Number.parseInt(process.versions.node, 10) >= NEEDED) {
  if (existsSync(program)) {
    const { run } = await import(pathToFileURL(program).href);
    process.exitCode = await run(process.argv.slice(2), root);
  } else fail(`not built yet. Run "npm ci" in ${root}`);
} else if (existsSync(ownNode)) runWithOwnNode();
else {
  // The published package doesn't include Node.
  const remedy = existsSync(join(root, 'package-lock.json'))
    ? `Run "npm ci" in ${root}, which brings one.`
    : `Run "npm install node@${NEEDED}" beside it, and then "npx agent-traffic".`;
  fail(`needs Node ${NEEDED} or later, this is ${process.versions.node}. ${remedy}`);
}

#!/usr/bin/env node
// This launcher must also run on old Node.js versions. In that case, it restarts itself with the Node.js version from
// node_modules.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const MIN_NODE_MAJOR = 24;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

const shim = fileURLToPath(import.meta.url);
const root = fileURLToPath(new URL('../../../', import.meta.url));
const program = join(root, 'dist', 'apps', 'cli', 'src', 'main.js');
const installedNode = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

function fail(message) {
  process.stderr.write(`agent-traffic: ${message}\n`);
  process.exitCode = 1;
}

function runWithInstalledNode() {
  const child = spawn(installedNode, [shim, ...process.argv.slice(2)], { stdio: 'inherit' });
  const forwardSignal = (signal) => child.kill(signal);
  for (const signal of SIGNALS) process.on(signal, forwardSignal);
  child.on('error', (error) => fail(`failed to start ${installedNode}: ${error.message}`));
  child.on('exit', (code, signal) => {
    for (const name of SIGNALS) process.off(name, forwardSignal);
    if (signal === null) process.exitCode = code ?? 1;
    else process.kill(process.pid, signal);
  });
}

if (Number.parseInt(process.versions.node, 10) >= MIN_NODE_MAJOR) {
  if (existsSync(program)) {
    const { run } = await import(pathToFileURL(program).href);
    process.exitCode = await run(process.argv.slice(2), root);
  } else fail(`the build output is missing. Run "npm ci" in ${root}.`);
} else if (existsSync(installedNode)) runWithInstalledNode();
else {
  // The source checkout installs Node.js as a dependency. The published package doesn't.
  const remedy = existsSync(join(root, 'package-lock.json'))
    ? `Run "npm ci" in ${root} to install it.`
    : `Run "npm install node@${MIN_NODE_MAJOR}" in the same folder, then "npx agent-traffic".`;
  fail(`requires Node.js ${MIN_NODE_MAJOR} or later (found ${process.versions.node}). ${remedy}`);
}

import 'reflect-metadata';
import { readSettings } from './env.js';
import { start } from './start.js';

try {
  await start(readSettings());
} catch (error) {
  process.stderr.write(`\n${explain(error)}\n\n`);
  process.exit(1);
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number };
  if (code === 'EADDRINUSE')
    return `Port ${port} at ${address} is taken. Stop what listens there, or set PORT to another one.`;
  if (code === 'EACCES' && port) return `Port ${port} needs privileges. Set PORT to 1024 or more.`;
  return error.constructor === Error || error.name !== 'Error' ? error.message : (error.stack ?? error.message);
}

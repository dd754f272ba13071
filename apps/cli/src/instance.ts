import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { CliError, EXIT } from './cli-error.js';
import { InstanceClient } from './client.js';
import type { CliEnv } from './env.js';

const DEFAULT_PORT = '3000';
export const DEFAULT_URL = `http://127.0.0.1:${DEFAULT_PORT}`;

export interface Instance {
  client: InstanceClient;
  token: string | undefined;
}

/** Finds the instance. Called on demand, so `--help` and `--dry-run` work without one. */
export type Connect = () => Promise<Instance>;

/**
 * Finds the instance's URL and API key. Environment variables take precedence over `instance.json` (URL) and `api-key`
 * (admin key) in the data folder. The default URL is 127.0.0.1 at PORT.
 *
 * @param parents Folders whose `data` subfolder is searched, in this order, if DATA_DIR isn't set.
 */
export async function findInstance(env: CliEnv, parents: readonly string[]): Promise<Instance> {
  const folders = env.dataDir ? [resolve(env.dataDir)] : parents.map((parent) => join(parent, 'data'));
  let local: { url: string | undefined; apiKey: string | undefined } = { url: undefined, apiKey: undefined };
  for (const folder of folders) {
    local = { url: await readInstanceUrl(folder), apiKey: await readOptionalFile(join(folder, 'api-key')) };
    if (local.url !== undefined || local.apiKey !== undefined) break;
  }
  const url = validateUrl(env.url ?? local.url ?? `http://127.0.0.1:${env.port ?? DEFAULT_PORT}`);
  // Never send the local instance's API key to another machine.
  const isLocalInstance = isLoopback(url) || (local.url !== undefined && url === trimSlashes(local.url));
  const apiKey = env.apiKey ?? (isLocalInstance ? local.apiKey : undefined);
  return { client: new InstanceClient(url, apiKey), token: env.token };
}

async function readInstanceUrl(folder: string): Promise<string | undefined> {
  const text = await readOptionalFile(join(folder, 'instance.json'));
  if (text === undefined) return undefined;
  try {
    const { url } = JSON.parse(text) as { url?: unknown };
    return typeof url === 'string' && URL.canParse(url) ? url : undefined;
  } catch {
    return undefined;
  }
}

async function readOptionalFile(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim() || undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new CliError(`Can't read ${file}: ${(error as Error).message}`, {
      hint: 'Run this command as the user that runs the instance, or set AGENT_TRAFFIC_URL and AGENT_TRAFFIC_API_KEY.',
    });
  }
}

function validateUrl(text: string): string {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) {
    throw new CliError(`AGENT_TRAFFIC_URL must be an http(s) URL (got "${text}").`, { exitCode: EXIT.usage });
  }
  return trimSlashes(text);
}

const trimSlashes = (url: string): string => url.replace(/\/{1,8}$/, '');

function isLoopback(url: string): boolean {
  const host = new URL(url).hostname;
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

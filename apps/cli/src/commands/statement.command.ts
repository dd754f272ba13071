import { readFile } from 'node:fs/promises';
import { getSystemErrorMessage } from 'node:util';
import { Command } from 'commander';
import { STATEMENT_KEYS_PATH, StatementKeySetSchema, validator, type StatementKey } from '#libs/contracts';
import { verifyStatement } from '#libs/statements';
import { CliError, EXIT } from '../cli-error.js';
import { InstanceClient } from '../client.js';
import { readInput } from '../input-file.js';
import type { Connect } from '../instance.js';
import { print } from '../output.js';
import { escapeInvisible, plural } from '../terminal-text.js';

const VERIFY_HELP = `
Checks that the instance signed exactly this file. Get the public keys from the
instance's website, because anyone can sign a file with other keys. With --key and
a file, no network is needed. A PDF made from a statement can't be checked.

Exit codes: 0 valid, 1 not valid, 2 usage error or keys not found.

Examples:
  agent-traffic statement verify openai.html
  agent-traffic statement verify openai.html --key https://traffic.example.com${STATEMENT_KEYS_PATH}
  agent-traffic statement verify openai.ndjson --key keys.json`;

const REPLACE_HELP = `
New statements are signed with the new key. The previous private key is deleted,
and its public key remains published, so earlier statements can still be checked.
Requires an API key with admin rights for all projects.

Example:
  agent-traffic statement replace-key`;

export function statementCommand(connect: Connect, exit: (code: number) => void): Command {
  const statement = new Command('statement')
    .summary('check signed statements, replace the signing key')
    .description('check signed statements, and replace the key that signs them');
  statement
    .command('verify')
    .description('check the signature of a statement created by "report statement"')
    .argument('<file>', 'statement in HTML or NDJSON')
    .option('--key <file|url>', "public keys (default: the connected instance's)")
    .addHelpText('after', VERIFY_HELP)
    .action(async (file: string, { key: source }: { key?: string }) => {
      const bytes = await readStatement(file);
      const { keys, origin } = await readKeys(source, connect);
      const check = verifyStatement(bytes, keys);
      if (!check.isValid) {
        print(`Not valid: ${check.fault}`);
        exit(EXIT.failure);
        return;
      }
      const key = keys.find(({ kid }) => kid === check.keyId)!;
      const until = key.replaced_at === null ? 'still in use' : `replaced on ${key.replaced_at.slice(0, 10)}`;
      print(`Valid: ${describeStatement(bytes, check.format)}`);
      print(`  Format     ${check.format === 'html' ? 'HTML' : 'NDJSON'}`);
      print(`  Checked    all ${plural(bytes.length, 'byte')} of ${file}, including the signature`);
      print(`  Key        ${key.kid} (Ed25519), created on ${key.created_at.slice(0, 10)}, ${until}`);
      print(`  Keys from  ${origin}`);
    });
  statement
    .command('replace-key')
    .description('replace the key that signs statements')
    .addHelpText('after', REPLACE_HELP)
    .action(async () => {
      const { client } = await connect();
      const { kid } = await client.post('/api/statement-keys', { body: {} });
      print(`New statements are signed with the key ${kid}.`);
    });
  return statement;
}

async function readStatement(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    const { errno, message } = error as NodeJS.ErrnoException;
    const reason = errno === undefined ? message : getSystemErrorMessage(errno);
    throw new CliError(`Can't read ${file}: ${reason}`, { exitCode: EXIT.usage, cause: error });
  }
}

/** @throws {CliError} with exit code 2 if the keys can't be read. */
async function readKeys(
  source: string | undefined,
  connect: Connect,
): Promise<{ keys: StatementKey[]; origin: string }> {
  const isUrl = source !== undefined && /^https?:\/\//i.test(source);
  if (source !== undefined && !isUrl)
    return { keys: parseKeys(await readInput(source, '--key'), source), origin: source };
  const origin = source ?? (await connect()).client.url + STATEMENT_KEYS_PATH;
  const url = URL.parse(origin);
  if (url === null) throw new CliError(`Not a URL: ${origin}`, { exitCode: EXIT.usage });
  const path = url.pathname + url.search;
  const { text } = await new InstanceClient(url.origin).send(path, { credential: null }).catch((error: unknown) => {
    throw new CliError(`Can't get the keys from ${origin}: ${(error as Error).message}`, {
      hint: 'Pass the public keys with --key FILE or --key URL.',
      exitCode: EXIT.usage,
      cause: error,
    });
  });
  return { keys: parseKeys(text, origin), origin };
}

function parseKeys(text: string, source: string): StatementKey[] {
  const schema = validator(StatementKeySetSchema);
  try {
    const set: unknown = JSON.parse(text);
    if (schema.is(set)) return set.keys;
  } catch {
    // The error below names the source.
  }
  throw new CliError(`${source} doesn't contain public keys of statements.`, {
    hint: `Save ${STATEMENT_KEYS_PATH} of the instance that created the statement.`,
    exitCode: EXIT.usage,
  });
}

/** Returns what a valid statement is about: its title and range. */
function describeStatement(bytes: Buffer, format: 'html' | 'ndjson'): string {
  const text = bytes.toString('utf8');
  if (format === 'html') {
    const title = text.slice(text.indexOf('<title>') + '<title>'.length, text.indexOf('</title>'));
    return escapeInvisible(decodeEntities(title));
  }
  const {
    title,
    first_day: first,
    last_day: last,
  } = JSON.parse(text.slice(0, text.indexOf('\n'))) as Record<'title' | 'first_day' | 'last_day', string>;
  return escapeInvisible(`${title}, ${first} to ${last}`);
}

const ENTITIES: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };

const decodeEntities = (html: string): string =>
  html.replaceAll(/&(?:lt|gt|quot|amp);/g, (entity) => ENTITIES[entity]!);

import { Command } from 'commander';
import { writeFile } from 'node:fs/promises';
import { describeFault } from '../agents/agent-faults.js';
import { CliError, EXIT, HttpError } from '../cli-error.js';
import { readInput, readJson } from '../input-file.js';
import type { Connect } from '../instance.js';
import { count, plural } from '../terminal-text.js';
import { note, print, writeData } from '../output.js';

const FORMAT = `
A file is a list of agents in JSON; libs/catalog/data/README.md describes it.`;

export function agentsFileCommands(connect: Connect, exit: (code: number) => void): Command[] {
  return [importCommand(connect), exportCommand(connect), checkCommand(exit)];
}

function importCommand(connect: Connect): Command {
  return new Command('import')
    .description('add the agents in a file, and update those that exist; none is removed')
    .argument('<file>', 'a list of agents in JSON; - is standard input')
    .addHelpText('after', FORMAT)
    .action(async (file: string) => {
      const records = await readJson(file);
      if (!Array.isArray(records)) throw new CliError(`${file} is not a list of agents.`, { hint: FORMAT.trim() });
      const { client } = await connect();
      try {
        const { added, changed, unchanged } = await client.post('/api/agents/import', { body: records });
        print(`Added ${count(added)}, changed ${count(changed)}, left ${count(unchanged)} as they were.`);
      } catch (error) {
        throw error instanceof HttpError && error.status === 422 ? refused(error, records, file) : error;
      }
    });
}

/** Lists all faults rather than the first few, because the user has to fix every one. */
function refused(error: HttpError, records: unknown[], file: string): CliError {
  const faults = (error.problem.errors ?? []).map((fault) => `\n  ${describeFault(fault, records)}`);
  if (faults.length === 0) return error;
  return new CliError(`Nothing was imported from ${file}. It has faults:${faults.join('')}`, { cause: error });
}

function exportCommand(connect: Connect): Command {
  return new Command('export')
    .description('write your own agents, or all, to a file that can be imported')
    .argument('[file]', 'the output file (default: standard output)')
    .option('--all', 'all agents')
    .option('--sign <key>', 'sign the file with an Ed25519 private key (PEM), so that it can be a signed feed')
    .action(async (file: string | undefined, { all, sign }: { all?: boolean; sign?: string }) => {
      const { client } = await connect();
      const query = { origin: all ? 'all' : 'own' } as const;
      const records = await client.get('/api/agents/export', { params: { query } });
      // Indented like the bundled data file, so the two can be compared.
      const plain = `${JSON.stringify(records, null, 1)}\n`;
      const text = sign === undefined ? plain : await signedText(plain, sign);
      if (file === undefined || file === '-') {
        writeData(text);
        return;
      }
      await writeFile(file, text).catch((error: Error) => {
        throw new CliError(`Can't write ${file}: ${error.message}`, { exitCode: EXIT.usage, cause: error });
      });
      note(`Wrote ${plural(records.length, 'agent')} to ${file}`);
    });
}

async function signedText(agents: string, keyFile: string): Promise<string> {
  const key = await readInput(keyFile);
  const { signAgents } = await import('#libs/catalog');
  try {
    return `${JSON.stringify(signAgents(agents, key, Date.now()), null, 1)}\n`;
  } catch (error) {
    throw new CliError(`Can't sign with ${keyFile}: ${(error as Error).message}`, {
      exitCode: EXIT.usage,
      hint: 'Make a key with "openssl genpkey -algorithm ed25519 -out key.pem".',
      cause: error,
    });
  }
}

function checkCommand(exit: (code: number) => void): Command {
  return new Command('check')
    .description('check a file of agents against those of this release; needs no instance')
    .argument('<file>', 'a list of agents in JSON; - is standard input')
    .addHelpText('after', `${FORMAT}\n\nExit codes: 0 no faults, 1 faults.`)
    .action(async (file: string) => {
      const records = await readJson(file);
      // Loaded lazily: this import takes longer than most commands run.
      const { checkAgents } = await import('#libs/catalog');
      const { faults, records: sound } = checkAgents(records);
      const all = Array.isArray(records) ? records : [];
      for (const fault of faults) print(describeFault(fault, all));
      const patterns = sound.reduce((sum, record) => sum + record.user_agent_patterns.length, 0);
      if (faults.length === 0) print(`${plural(all.length, 'agent')} with ${plural(patterns, 'pattern')}: no faults.`);
      else {
        note(`${plural(faults.length, 'fault')}. Valid: ${count(sound.length)} of ${plural(all.length, 'agent')}.`);
        exit(EXIT.failure);
      }
    });
}

import { Command } from 'commander';
import { writeFile } from 'node:fs/promises';
import { describeFault } from '../agents/agent-faults.js';
import { CliError, EXIT, HttpError } from '../cli-error.js';
import { readInput, readJson } from '../input-file.js';
import type { Connect } from '../instance.js';
import { count, plural } from '../terminal-text.js';
import { note, print, writeData } from '../output.js';

const FORMAT_HELP = `
The file contains a JSON array of agents. For the format, see libs/catalog/data/README.md.`;

export function agentsFileCommands(connect: Connect, exit: (code: number) => void): Command[] {
  return [importCommand(connect), exportCommand(connect), checkCommand(exit)];
}

function importCommand(connect: Connect): Command {
  return new Command('import')
    .description('import agents from a file: add new ones and update existing ones; none are removed')
    .argument('<file>', 'JSON file with agents; - for standard input')
    .addHelpText('after', FORMAT_HELP)
    .action(async (file: string) => {
      const records = await readJson(file);
      if (!Array.isArray(records))
        throw new CliError(`${file} doesn't contain a JSON array.`, { hint: FORMAT_HELP.trim() });
      const { client } = await connect();
      try {
        const { added, changed, unchanged } = await client.post('/api/agents/import', { body: records });
        print(`${count(added)} added, ${count(changed)} changed, ${count(unchanged)} unchanged.`);
      } catch (error) {
        throw error instanceof HttpError && error.status === 422 ? importError(error, records, file) : error;
      }
    });
}

/** Lists every fault rather than the first few, because the user must fix them all. */
function importError(error: HttpError, records: unknown[], file: string): CliError {
  const faults = (error.problem.errors ?? []).map((fault) => `\n  ${describeFault(fault, records)}`);
  if (faults.length === 0) return error;
  return new CliError(`Nothing was imported. Fix these errors in ${file}:${faults.join('')}`, { cause: error });
}

function exportCommand(connect: Connect): Command {
  return new Command('export')
    .description('export your own agents, or all agents, to a file that can be imported')
    .argument('[file]', 'output file (default: standard output)')
    .option('--all', 'export all agents, including bundled ones')
    .option('--sign <key>', 'Ed25519 private key (PEM) that signs the file, so it can serve as a signed feed')
    .action(async (file: string | undefined, { all, sign }: { all?: boolean; sign?: string }) => {
      const { client } = await connect();
      const query = { origin: all ? 'all' : 'own' } as const;
      const records = await client.get('/api/agents/export', { params: { query } });
      // Indented like the bundled data file, so the two can be diffed.
      const unsignedText = `${JSON.stringify(records, null, 1)}\n`;
      const text = sign === undefined ? unsignedText : await signAgentsText(unsignedText, sign);
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

async function signAgentsText(agents: string, keyFile: string): Promise<string> {
  const key = await readInput(keyFile, '--sign');
  const { signAgents } = await import('#libs/catalog');
  try {
    return `${JSON.stringify(signAgents(agents, key, Date.now()), null, 1)}\n`;
  } catch (error) {
    throw new CliError(`Can't sign with ${keyFile}: ${(error as Error).message}`, {
      exitCode: EXIT.usage,
      hint: 'Create a key with "openssl genpkey -algorithm ed25519 -out key.pem".',
      cause: error,
    });
  }
}

function checkCommand(exit: (code: number) => void): Command {
  return new Command('check')
    .description('check agents in a file, including against the bundled agents; requires no instance')
    .argument('<file>', 'JSON file with agents; - for standard input')
    .addHelpText('after', `${FORMAT_HELP}\n\nExit codes: 0 no errors found, 1 errors found.`)
    .action(async (file: string) => {
      const records = await readJson(file);
      // Imported lazily because it loads slowly.
      const { checkAgents } = await import('#libs/catalog');
      const { faults, records: validRecords } = await checkAgents(records);
      const all = Array.isArray(records) ? records : [];
      for (const fault of faults) print(describeFault(fault, all));
      const patterns = validRecords.reduce((sum, record) => sum + record.user_agent_patterns.length, 0);
      if (faults.length === 0) print(`${plural(all.length, 'agent')} with ${plural(patterns, 'pattern')}: no errors.`);
      else {
        note(
          `${plural(faults.length, 'error')}. Valid: ${count(validRecords.length)} of ${plural(all.length, 'agent')}.`,
        );
        exit(EXIT.failure);
      }
    });
}

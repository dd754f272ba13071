import { join } from 'node:path';
import { Command, Option } from 'commander';
import {
  isUuid,
  LIMIT_SERVERS,
  type CurrentPolicy,
  type LimitServer,
  type PolicyAction,
  type PolicyCounts,
  type PolicyRule,
} from '#libs/contracts';
import { CliError, EXIT } from '../cli-error.js';
import { readJson } from '../input-file.js';
import type { Connect } from '../instance.js';
import { integerParser, jsonOption, projectOption } from '../options.js';
import { note, print, printJson } from '../output.js';
import { renderEffect } from '../policy/effect-text.js';
import { completeRules, parsePolicyFile } from '../policy/policy-file.js';
import { findProject } from '../project.js';
import { replaceFile } from '../replace-file.js';
import { count, escapeInvisible, plural, renderTable } from '../terminal-text.js';

const HELP = `
The first rule that matches a request applies. Rules in dry run are counted, but
don't change responses.

Examples:
  agent-traffic policy show
  agent-traffic policy show --json > policy.json
  agent-traffic policy apply policy.json
  agent-traffic policy effect "Training crawlers"
  agent-traffic policy limits --server haproxy --output /etc/haproxy`;

const APPLY_HELP = `
The file contains {"rules": […]}, as printed by \`policy show --json\`. Rules without
an ID replace the rule with the same name. New rules without a mode start in dry run.`;

const LIMITS_HELP = `
The server applies the limits of live rules without requests to this instance, but
it can't verify agents by DNS or signature. Rules with conditions on requests are
ignored. Files are only replaced if their content changes. Reload the server then.`;

interface Options {
  project?: string;
  json?: boolean;
}

export function policyCommand(connect: Connect): Command {
  const policy = new Command('policy')
    .summary('show, replace or export the rules for agents, and their effect')
    .description('show, replace or export the rules that allow, slow down, redirect, charge or refuse agents')
    .addHelpText('after', HELP);
  policy
    .command('show')
    .description('show the current rules and their decisions in the last 30 days')
    .addOption(projectOption())
    .addOption(jsonOption())
    .action(async ({ project, json }: Options) => {
      const { client } = await connect();
      const path = { id: (await findProject(client, project)).id };
      const current = await client.get('/api/projects/{id}/policy', { params: { path } });
      if (json) return printJson({ rules: current.rules });
      printRules(current, await client.get('/api/projects/{id}/policy/counts', { params: { path } }));
    });
  policy
    .command('apply')
    .description('replace all rules with those in a file')
    .argument('<file>', 'JSON file with rules; - for standard input')
    .addOption(projectOption())
    .addOption(jsonOption())
    .addHelpText('after', APPLY_HELP)
    .action(async (file: string, { project, json }: Options) => {
      const inputs = parsePolicyFile(await readJson(file), file);
      const { client } = await connect();
      const params = { path: { id: (await findProject(client, project)).id } };
      const current = await client.get('/api/projects/{id}/policy', { params });
      const rules = completeRules(inputs, current.rules);
      const saved = await client.put('/api/projects/{id}/policy', { params, body: { rules } });
      if (json) return printJson({ rules: saved.rules });
      const isLive = saved.rules.filter(({ mode }) => mode === 'live').length;
      print(`Saved ${plural(saved.rules.length, 'rule')}, ${count(isLive)} of them live.`);
      if (isLive < saved.rules.length) note("Rules in dry run are counted, but don't change responses.");
    });
  policy
    .command('effect')
    .description('show what happened after a rule acted: who came back, savings and referrals')
    .argument('<rule>', 'number or name of the rule, or ID of a rule or exception')
    .addOption(new Option('--days <days>', 'number of days, 2–30').argParser(integerParser(2, 30)).default(30))
    .addOption(projectOption())
    .addOption(jsonOption())
    .action(async (rule: string, { project, json, days }: Options & { days: number }) => {
      const { client } = await connect();
      const { id } = await findProject(client, project);
      const { rules } = await client.get('/api/projects/{id}/policy', { params: { path: { id } } });
      const effect = await client.get('/api/projects/{id}/policy/rules/{ruleId}/effect', {
        params: { path: { id, ruleId: findRuleId(rules, rule) }, query: { days } },
      });
      if (json) return printJson(effect);
      print(renderEffect(effect));
    });
  policy
    .command('limits')
    .description('write the limits of live rules as configuration for a server')
    .requiredOption('--output <folder>', 'folder to write the files to')
    .addOption(new Option('--server <server>', 'server to configure').choices(LIMIT_SERVERS).default('nginx'))
    .addOption(projectOption())
    .addHelpText('after', LIMITS_HELP)
    .action(async ({ project, server, output }: Options & { server: LimitServer; output: string }) => {
      const { client } = await connect();
      const params = { path: { id: (await findProject(client, project)).id }, query: { server } };
      const limits = await client.get('/api/projects/{id}/policy/limits', { params });
      for (const { name, purpose, text } of limits.files) {
        const path = join(output, name);
        const replacement = await replaceFile(path, Buffer.from(text));
        if (replacement === 'new') note(`Wrote ${path}. ${purpose}.`);
        if (replacement === 'changed') note(`Changed ${path}.`);
      }
      const ignored = limits.ignored_rules.map((name) => escapeInvisible(name)).join(', ');
      if (limits.agents === 0) note('No live rule slows agents down.');
      if (ignored !== '') note(`Ignored, because they depend on more than the agent: ${ignored}`);
    });
  return policy;
}

/** Rules that were removed still have an effect, so any ID is accepted. */
function findRuleId(rules: readonly PolicyRule[], text: string): string {
  if (isUuid(text)) return text.toLowerCase();
  const named = rules.filter(({ name }) => name.toLowerCase() === text.toLowerCase());
  const found = named.length > 0 ? named : rules.filter((_, index) => String(index + 1) === text);
  if (found.length === 1) return found[0]!.id;
  const problem = found.length > 1 ? `Several rules are named "${text}". Use a number` : `No rule is named "${text}"`;
  if (rules.length === 0) throw new CliError('This project has no rules', { exitCode: EXIT.usage });
  const list = rules.map(({ name }, index) => `  ${index + 1}  ${escapeInvisible(name)}`).join('\n');
  throw new CliError(`${problem}:\n${list}`, { exitCode: EXIT.usage });
}

function printRules({ rules }: CurrentPolicy, { counts }: PolicyCounts): void {
  if (rules.length === 0) return print('This project has no rules. Add some in the dashboard or with `policy apply`.');
  const sum = (rule: PolicyRule, isActed: boolean): string => {
    const ids = new Set([rule.id, ...(rule.exceptions ?? []).map(({ id }) => id)]);
    const own = counts.filter(({ rule_id: id, outcome }) => ids.has(id) && (outcome !== 'allowed' || !isActed));
    return count(own.reduce((total, { decisions }) => total + decisions, 0));
  };
  print(
    renderTable(
      ['#', 'RULE', 'MODE', 'ACTION', 'EXCEPTIONS', 'CHECKED', 'ACTED ON'],
      rules.map((rule, index) => [
        String(index + 1),
        escapeInvisible(rule.name),
        rule.mode === 'dry_run' ? 'dry run' : rule.mode,
        escapeInvisible(describeAction(rule.action)),
        count(rule.exceptions?.length ?? 0),
        sum(rule, false),
        sum(rule, true),
      ]),
    ),
  );
}

function describeAction(action: PolicyAction): string {
  switch (action.kind) {
    case 'slow_down':
      return `slow down to ${count(action.requests_per_minute)}/min`;
    case 'charge':
      return `charge ${action.price}`;
    case 'redirect':
      return `redirect to ${action.location}`;
    default:
      return action.kind;
  }
}

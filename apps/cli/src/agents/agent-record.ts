import { isDeepStrictEqual } from 'node:util';
import { patternFault } from '#libs/agents';
import { pairSamples } from '#libs/catalog';
import type { AgentRecord, AgentType } from '#libs/contracts';
import { consistentRecord } from '#libs/contracts/agent-record';
import { CliError, EXIT } from '../cli-error.js';
import { visible } from '../terminal-text.js';
import type { AgentOptions, Clearable } from './agent-options.js';

/** Returns the record of a new agent. @throws CliError if a pattern needs a sample, or nothing identifies the agent. */
export function newRecord(token: string, type: AgentType, options: AgentOptions): AgentRecord {
  const blank: AgentRecord = {
    token,
    type,
    operator: null,
    url: null,
    user_agent_patterns: [],
    robots_token: token,
    verification: {},
  };
  return changedRecord(blank, options);
}

/** Returns the record with the cleared fields emptied and the given options applied. */
export function changedRecord(
  record: AgentRecord,
  options: AgentOptions,
  cleared: readonly Clearable[] = [],
): AgentRecord {
  const { verification } = record;
  const clears = (field: Clearable): boolean => cleared.includes(field);
  const patterns = options.pattern ?? (clears('pattern') ? [] : record.user_agent_patterns);
  const ranges = options.ipRange ?? (clears('ip-range') ? undefined : verification.ip_ranges);
  const signatureAgents =
    options.signatureAgent ?? (clears('signature-agent') ? undefined : verification.signature_agents);
  const keepsSamples =
    options.sample === undefined &&
    record.sample_user_agents !== undefined &&
    isDeepStrictEqual(patterns, record.user_agent_patterns);
  if (patterns.length === 0 && !record.robots_only && !signatureAgents?.length) {
    throw wrong('Nothing identifies this agent.', 'Add --pattern for its User-Agent, or --signature-agent.');
  }
  return consistentRecord({
    ...record,
    type: options.type ?? record.type,
    operator: options.operator ?? (clears('operator') ? null : record.operator),
    url: options.url ?? (clears('url') ? null : record.url),
    user_agent_patterns: patterns,
    sample_user_agents: keepsSamples
      ? record.sample_user_agents
      : samplesOf(patterns, options.sample ?? [], record.sample_user_agents ?? []),
    robots_token: options.robotsToken ?? (clears('robots-token') ? null : record.robots_token),
    verification: {
      reverse_dns_suffixes: options.dnsSuffix ?? (clears('dns-suffix') ? undefined : verification.reverse_dns_suffixes),
      ip_list_urls: options.ipList ?? (clears('ip-list') ? undefined : verification.ip_list_urls),
      ip_ranges: ranges,
      // Ranges from the command line are current, so they have no date.
      ip_ranges_as_of: options.ipRange === undefined ? verification.ip_ranges_as_of : undefined,
      signature_agents: signatureAgents,
    },
    excluded_prefixes: options.excludedPrefix ?? (clears('excluded-prefix') ? undefined : record.excluded_prefixes),
    generic: options.generic ?? (clears('generic') ? false : record.generic),
  });
}

function samplesOf(patterns: string[], given: string[], earlier: string[]): string[] {
  for (const pattern of patterns) {
    const fault = patternFault(pattern);
    if (fault !== null) throw wrong(`The pattern "${pattern}" ${fault}.`);
  }
  const { samples, unused } = pairSamples(patterns, [...given, ...earlier]);
  const useless = unused.find((sample) => given.includes(sample));
  if (useless !== undefined)
    throw wrong(`No pattern is found in the sample "${useless}", or another sample came first.`);
  return samples.map((sample, index) => {
    if (sample !== null) return sample;
    const hint = 'Enter a User-Agent that the pattern matches: --sample "Mozilla/5.0 (compatible; …)"';
    throw wrong(`The pattern "${patterns[index]}" is not plain text, so it needs a sample.`, hint);
  });
}

function wrong(message: string, hint?: string): CliError {
  return new CliError(visible(message), { exitCode: EXIT.usage, ...(hint === undefined ? {} : { hint }) });
}

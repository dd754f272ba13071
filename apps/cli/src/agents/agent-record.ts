import { isDeepStrictEqual } from 'node:util';
import { findPatternFault } from '#libs/agents';
import { pairSamples } from '#libs/catalog';
import type { AgentRecord, AgentType } from '#libs/contracts';
import { normalizeAgentRecord } from '#libs/contracts/agent-record';
import { CliError, EXIT } from '../cli-error.js';
import { escapeInvisible } from '../terminal-text.js';
import type { AgentOptions, Clearable } from './agent-options.js';

/**
 * Creates the record for a new agent.
 *
 * @throws {CliError} if the options don't identify the agent, or if a pattern is invalid or requires a sample.
 */
export function createRecord(token: string, type: AgentType, options: AgentOptions): AgentRecord {
  const blank: AgentRecord = {
    token,
    type,
    operator: null,
    url: null,
    user_agent_patterns: [],
    robots_token: token,
    verification: {},
  };
  return updateRecord(blank, options);
}

/** Applies options to a copy of a record. Clears the given fields, unless an option sets them. */
export function updateRecord(
  record: AgentRecord,
  options: AgentOptions,
  clearedFields: readonly Clearable[] = [],
): AgentRecord {
  const { verification } = record;
  const isCleared = (field: Clearable): boolean => clearedFields.includes(field);
  const patterns = options.pattern ?? (isCleared('pattern') ? [] : record.user_agent_patterns);
  const ranges = options.ipRange ?? (isCleared('ip-range') ? undefined : verification.ip_ranges);
  const signatureAgents =
    options.signatureAgent ?? (isCleared('signature-agent') ? undefined : verification.signature_agents);
  const canReuseSamples =
    options.sample === undefined &&
    record.sample_user_agents !== undefined &&
    isDeepStrictEqual(patterns, record.user_agent_patterns);
  if (patterns.length === 0 && !record.robots_only && !signatureAgents?.length) {
    throw usageError(
      'This agent has no pattern or signature agent.',
      'Add --pattern to match its User-Agent, or --signature-agent.',
    );
  }
  return normalizeAgentRecord({
    ...record,
    type: options.type ?? record.type,
    behaviors: options.behavior ?? (isCleared('behavior') ? undefined : record.behaviors),
    operator: options.operator ?? (isCleared('operator') ? null : record.operator),
    url: options.url ?? (isCleared('url') ? null : record.url),
    user_agent_patterns: patterns,
    sample_user_agents: canReuseSamples
      ? record.sample_user_agents
      : resolveSamples(patterns, options.sample ?? [], record.sample_user_agents ?? []),
    robots_token: options.robotsToken ?? (isCleared('robots-token') ? null : record.robots_token),
    verification: {
      reverse_dns_suffixes:
        options.dnsSuffix ?? (isCleared('dns-suffix') ? undefined : verification.reverse_dns_suffixes),
      ip_list_urls: options.ipList ?? (isCleared('ip-list') ? undefined : verification.ip_list_urls),
      ip_ranges: ranges,
      // Ranges from the command line are current, so the date of the earlier ranges no longer applies.
      ip_ranges_as_of: options.ipRange === undefined ? verification.ip_ranges_as_of : undefined,
      signature_agents: signatureAgents,
    },
    excluded_prefixes: options.excludedPrefix ?? (isCleared('excluded-prefix') ? undefined : record.excluded_prefixes),
    generic: options.generic ?? (isCleared('generic') ? false : record.generic),
  });
}

function resolveSamples(patterns: string[], givenSamples: string[], earlierSamples: string[]): string[] {
  for (const pattern of patterns) {
    const fault = findPatternFault(pattern);
    if (fault !== null) throw usageError(`The pattern "${pattern}" ${fault}.`);
  }
  const { samples, unused } = pairSamples(patterns, [...givenSamples, ...earlierSamples]);
  const unusedSample = unused.find((sample) => givenSamples.includes(sample));
  if (unusedSample !== undefined)
    throw usageError(
      `The sample "${unusedSample}" matches no pattern, or an earlier sample already matches the same pattern.`,
    );
  return samples.map((sample, index) => {
    if (sample !== null) return sample;
    const hint = 'Add a User-Agent that the pattern matches: --sample "Mozilla/5.0 (compatible; …)"';
    throw usageError(`The pattern "${patterns[index]}" is not plain text, so it requires a sample.`, hint);
  });
}

function usageError(message: string, hint?: string): CliError {
  return new CliError(escapeInvisible(message), { exitCode: EXIT.usage, ...(hint === undefined ? {} : { hint }) });
}

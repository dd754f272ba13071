import { hash } from 'node:crypto';
import { formatCidr, mergeBlocks, parseCidr } from '#libs/agents';
import type { Agent, CompiledCatalog } from '#libs/catalog';
import type { AddressListFormat } from '#libs/contracts';
import { comment, namesComment } from '../server-config/comment.js';
import { sortUnique } from '../selection.js';
import { TEXT, type RenderedText } from '../user-agent-token-list.js';
import { ADDRESS_FORMATS, type AddressList } from './address-formats.js';

/**
 * Renders the address ranges that agents are verified by, merged into the shortest list. The text only changes when
 * the ranges or the agents change.
 */
export function addressList(
  agents: readonly Agent[],
  format: AddressListFormat,
  catalog: CompiledCatalog,
): RenderedText {
  const list = createAddressList(agents, catalog);
  const { mediaType = TEXT, render } = ADDRESS_FORMATS[format];
  return { mediaType, text: render(list) };
}

export function createAddressList(agents: readonly Agent[], catalog: CompiledCatalog): AddressList {
  const listed = agents.map((agent) => ({ agent, evidence: catalog.getAddressEvidence(agent) }));
  const used = listed.filter(({ evidence }) => evidence !== null && evidence.sources.length > 0);
  const sources = used.flatMap(({ evidence }) => evidence!.sources);
  const blocks = mergeBlocks(sources.flatMap(({ ranges }) => ranges.map((range) => parseCidr(range)!)));
  const changes = sources.map(({ changedAt }) => changedAt).filter((time) => time !== null);
  const ipv4 = blocks.filter(({ family }) => family === 4).map(formatCidr);
  const ipv6 = blocks.filter(({ family }) => family === 6).map(formatCidr);
  const names = sortUnique(used.map(({ agent }) => agent.token));
  const unlisted = sortUnique(
    listed.filter(({ evidence }) => evidence === null || !evidence.isComplete).map(({ agent }) => agent.token),
  );
  const digest = hash('sha256', [...ipv4, ...ipv6].map((range) => `${range}\n`).join(''));
  const changed = changes.length === 0 ? 'unknown' : new Date(Math.max(...changes)).toISOString();
  const summary = [
    `Agent Traffic: ${ipv4.length + ipv6.length} address ranges of ${names.length} agents.`,
    `Last change: ${changed}`,
    `SHA-256 of the ranges: ${digest}`,
  ];
  return {
    summary,
    comments: [
      comment([...summary, 'Agents:']),
      namesComment(names),
      unlisted.length === 0 ? '' : comment(['Without ranges, or with incomplete ranges:']) + namesComment(unlisted),
    ].join(''),
    ipv4,
    ipv6,
  };
}

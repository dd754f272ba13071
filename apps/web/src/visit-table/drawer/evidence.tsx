import { Anchor, Code, List, Text } from '@mantine/core';
import type { ComponentType, ReactNode } from 'react';
import {
  automationSign,
  AUTOMATION_WORDS,
  capitalized,
  clientAddressNote,
  clientAddressSentence,
  resultWords,
} from '#libs/agents/vocabulary';
import type { Visit } from '../../api/client.js';
import type { Evidence, ReverseDnsStep } from '#libs/contracts';
import { asNumberText, countryName } from '../../format/network.js';
import { Snippet } from '../../ui/snippet.js';
import { headerOf } from '../header-of.js';
import { DescriptionList } from '../../ui/description-list.js';
import { Matched } from '../../ui/matched.js';
import { RelativeTime } from '../../ui/relative-time.js';

type Step = NonNullable<Evidence['steps']>[number];

/** Agent named by the User-Agent header, with the matching part highlighted. */
export function Claim({ item: { visit, identification, reidentified } }: { item: Visit }) {
  const {
    agent_token: token,
    agent_type_name: type,
    operator_name: operator,
    agent_url: url,
    evidence,
  } = identification;
  const { user_agent_match: match = null, user_agent_token: claimed } = evidence;
  return (
    <DescriptionList
      facts={[
        ['User agent', <Matched text={headerOf(visit, 'user-agent') ?? ''} part={match} />],
        ['Matches', claimed ?? 'no agent in the catalog'],
        ['Agent', token],
        ['Type', type],
        ['Operator', operator],
        [
          'Documentation',
          url && (
            <Anchor href={url} rel="noreferrer" target="_blank" size="sm">
              {url}
            </Anchor>
          ),
        ],
        ['Catalog version', <Code>{identification.catalog_version}</Code>],
        ['At first', reidentified && <AtFirst reidentified={reidentified} />],
      ]}
    />
  );
}

/** Original identification of a visit that was identified again. */
function AtFirst({ reidentified: { at, earlier } }: { reidentified: NonNullable<Visit['reidentified']> }) {
  // Same shape as the visit's current identification. The API schema doesn't repeat it.
  const { agent_token: token, result } = earlier.identification as object as Visit['identification'];
  return (
    <>
      {token !== null && `${token}, `}
      {resultWords(result).label}; identified again <RelativeTime time={at} />
    </>
  );
}

/** Trusted client address, and why it's trusted. */
export function AddressEvidence({ item }: { item: Visit }) {
  const { client_address: address, client_network: network, visit, identification } = item;
  const {
    client_address_source: source,
    client_address_reason: reason,
    client_address_note: note,
    address_origin: origin,
    steps = [],
  } = identification.evidence;
  const received = source && headerOf(visit, source);
  return (
    <DescriptionList
      facts={[
        ['Trusted address', address ?? 'none'],
        ['Network operator', network?.operator_name],
        ['AS number', network?.as_number && asNumberText(network.as_number)],
        ['Network', network?.prefix && <Code>{network.prefix}</Code>],
        [
          'Published for',
          origin && (
            <>
              {origin.agent_token}
              {origin.operator_name !== null && ` by ${origin.operator_name}`}: <Code>{origin.range}</Code>
              {origin.as_of !== null && (
                <>
                  , fetched <RelativeTime time={origin.as_of} />
                </>
              )}
              . Proves nothing, since the visit names no agent.
            </>
          ),
        ],
        ['Range list', origin?.list_url],
        ['Country', network?.country_code && `${countryName(network.country_code)} (${network.country_code})`],
        ['Reverse DNS', steps.flatMap(reverseNames).join(', ')],
        ['From', source ? <Code>{source}</Code> : reason === 'connection_peer' ? <Code>client_address</Code> : null],
        // Highlights the trusted entry.
        ['As received', received && <Matched text={received} part={address} />],
        ['Why', reason && `${capitalized(clientAddressSentence(reason))}.`],
        ['Note', note && clientAddressNote(note)],
      ]}
    />
  );
}

/**
 * Returns the host names of a reverse DNS step, with their confirmation. The owner of an address can give it any name,
 * so only a name that resolves back to the address counts.
 */
function reverseNames(step: Step): string[] {
  if (step.method !== 'reverse_dns') return [];
  const { host_names: names, confirmed_host_name: confirmed } = step as ReverseDnsStep;
  return names.map((name) => `${name} (${name === confirmed ? 'confirmed' : 'not confirmed'})`);
}

/** Verdict on whether an unknown visitor is automated, with the signs for it. */
export function Automation({ automation: { verdict, signs } }: { automation: NonNullable<Visit['automation']> }) {
  const words = AUTOMATION_WORDS[verdict];
  return (
    <>
      <Text size="sm">
        <b>{words?.word ?? verdict}.</b> {words?.meaning}
      </Text>
      {signs.length > 0 && (
        <List size="sm" mt={4}>
          {signs.map((sign) => (
            <List.Item key={sign}>{automationSign(sign).sentence}</List.Item>
          ))}
        </List>
      )}
    </>
  );
}

const MCP = {
  mcp_request_method: 'Method',
  mcp_request_tool_name: 'Tool',
  mcp_request_client_info_name: 'Client',
  mcp_request_client_info_version: 'Client version',
  mcp_response_result_is_error: 'Result is an error',
  mcp_response_error_code: 'Error code',
  mcp_response_error_message: 'Error',
} as const;

interface CommerceProps {
  item: Visit;
  Part: ComponentType<{ value: string; title: string; children: ReactNode }>;
}

/** MCP call and ACP and UCP responses of a visit, if any. */
export function Commerce({ item: { visit }, Part }: CommerceProps) {
  const calls = Object.entries(MCP).map(([name, term]) => {
    const value = visit[name as keyof typeof MCP];
    return [term, typeof value === 'boolean' ? (value ? 'yes' : 'no') : value] as const;
  });
  const { acp_response_body: acp, ucp_response_body: ucp } = visit;
  return (
    <>
      {calls.some(([, value]) => value != null) && (
        <Part value="commerce" title="MCP">
          <DescriptionList facts={calls} />
        </Part>
      )}
      {acp && (
        <Part value="acp" title="ACP response">
          <Snippet text={JSON.stringify(acp, null, 2)} what="the ACP response" />
        </Part>
      )}
      {ucp && (
        <Part value="ucp" title="UCP response">
          <Snippet text={JSON.stringify(ucp, null, 2)} what="the UCP response" />
        </Part>
      )}
    </>
  );
}

import type { AsyncApiDocument, DocumentSchema, EventChannel, EventMessage } from '#libs/contracts';
import { docsPage, html, paragraphs } from './docs-page.js';

/** Returns the page that documents the Kafka topics. */
export function eventsPage(document: AsyncApiDocument): string {
  const channels = Object.entries(document.channels);
  const links = channels.map(
    ([name, { address, summary }]) => `<li><a href="#${name}"><code>${address}</code></a>: ${html(summary)}</li>`,
  );
  return docsPage(
    'topics',
    `<h1>Topics</h1>
${paragraphs(document.info.description)}
<ul>
${links.join('\n')}
</ul>
<p>The same as AsyncAPI ${document.asyncapi}, for tools: <a href="/docs/events.json">events.json</a>. See also the
<a href="/docs">interfaces</a> and their <a href="/docs/problems">problems</a>.</p>
${channels.map(([name, channel]) => channelSection(document, name, channel)).join('\n')}`,
  );
}

function channelSection(document: AsyncApiDocument, name: string, channel: EventChannel): string {
  const message = document.components.messages[name]!;
  const { key } = message.bindings.kafka;
  const parties = Object.values(document.operations)
    .filter((operation) => operation.channel.$ref === `#/channels/${name}`)
    .map(({ summary }) => summary);
  const settings = channel.bindings.kafka['topicConfiguration'] as Record<string, number>;
  const facts = {
    Who: parties.join(', '),
    Key: key.description!,
    'Largest message': `${settings['max.message.bytes']! / 1024 / 1024} MiB`,
    'Kept for': `${settings['retention.ms']! / 86_400_000} days`,
    Partitions: String(channel.bindings.kafka['partitions']),
  };
  return `<h2 id="${name}"><code>${channel.address}</code></h2>
<p>${html(channel.summary)} ${html(message.summary)}</p>
${paragraphs(channel.description)}
<dl>
${Object.entries(facts)
  .map(([term, text]) => `<dt>${term}</dt><dd>${html(text)}</dd>`)
  .join('\n')}
</dl>
<h3>Headers</h3>
${fieldTable(headerRows(message.headers))}
<h3>Body <span class="faint">${message.contentType}</span></h3>
${body(document, message)}
<h3>Example</h3>
${example(message)}`;
}

function headerRows({ properties = {}, patternProperties = {}, required = [] }: DocumentSchema): string[] {
  const named = Object.entries(properties).map(([name, schema]) => row(name, schema, required.includes(name)));
  const prefixed = Object.entries(patternProperties).map(([pattern, schema]) =>
    row(`${pattern.slice(1)}…`, schema, false),
  );
  return [...named, ...prefixed];
}

/** Returns a field table if the payload refers to a schema, else a sentence about its type. */
function body(document: AsyncApiDocument, { payload }: EventMessage): string {
  if (payload.$ref === undefined) {
    return `<p>${payload.anyOf ? typeOf(payload) : html(payload.description ?? typeOf(payload))}.</p>`;
  }
  return fieldTable(fieldRows(document, payload, 0));
}

function fieldRows(document: AsyncApiDocument, { $ref }: DocumentSchema, depth: number): string[] {
  const { properties = {}, required = [] } = document.components.schemas[nameOf($ref!)]!;
  return Object.entries(properties).flatMap(([name, schema]) => {
    if (schema.$ref === undefined) return [row(name, schema, required.includes(name), depth)];
    const { type, description = '' } = document.components.schemas[nameOf(schema.$ref)]!;
    const line = row(name, { ...schema, type: type!, description }, required.includes(name), depth);
    return [line, ...fieldRows(document, schema, depth + 1)];
  });
}

const fieldTable = (rows: string[]): string =>
  `<table><tr><th>Name</th><th>Type</th><th>Meaning</th></tr>\n${rows.join('\n')}\n</table>`;

function row(name: string, schema: DocumentSchema, isRequired: boolean, depth = 0): string {
  const anchor = schema.$ref === undefined ? '' : ` id="${nameOf(schema.$ref)}"`;
  const meaning = [schema.description ?? '', oneOf(schema)].filter((text) => text !== '').join('. ');
  const type = typeOf({ ...schema, $ref: undefined });
  return (
    `<tr${anchor} style="--depth: ${depth}"><td><code>${name}</code></td>` +
    `<td>${type}${isRequired ? '' : ' <small>optional</small>'}</td><td>${html(meaning)}</td></tr>`
  );
}

function typeOf({ $ref, type, format, items, anyOf, maxItems }: DocumentSchema): string {
  if ($ref !== undefined) return `<a href="#${nameOf($ref)}">${nameOf($ref)}</a>`;
  if (anyOf !== undefined) return anyOf.map(typeOf).join(', or ');
  if (type === 'array')
    return `array of ${typeOf(items ?? {})}${maxItems === undefined ? '' : `, ${maxItems} at most`}`;
  return `${[type ?? 'any'].flat().join(' or ')}${format === undefined ? '' : `, ${format}`}`;
}

function oneOf(schema: DocumentSchema): string {
  if (schema.const !== undefined) return `Always \`${String(schema.const)}\``;
  const words = schema.enum?.filter((value) => value !== null);
  return words === undefined ? '' : `One of ${words.map((word) => `\`${String(word)}\``).join(', ')}`;
}

function example({ bindings, examples, contentType }: EventMessage): string {
  const { headers, payload } = examples[0]!;
  const key = String(bindings.kafka.key.examples?.[0] ?? '');
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const text = contentType === 'application/json' ? JSON.stringify(payload, null, 2) : String(payload);
  return `<pre><b>key</b>\n${html(key)}\n\n<b>headers</b>\n${html(lines.join('\n'))}\n\n<b>body</b>\n${html(text)}</pre>`;
}

const nameOf = ($ref: string): string => $ref.slice($ref.lastIndexOf('/') + 1);

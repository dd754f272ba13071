import type { AsyncApiDocument, DocumentSchema, EventChannel, EventMessage } from '#libs/contracts';
import { renderDocsPage, toHtml, toParagraphs } from './docs-page.js';

export function renderEventsPage(document: AsyncApiDocument): string {
  const channels = Object.entries(document.channels);
  const links = channels.map(
    ([name, { address, summary }]) => `<li><a href="#${name}"><code>${address}</code></a>: ${toHtml(summary)}</li>`,
  );
  return renderDocsPage(
    'topics',
    `<h1>Topics</h1>
${toParagraphs(document.info.description)}
<ul>
${links.join('\n')}
</ul>
<p>This page is also available as AsyncAPI ${document.asyncapi}: <a href="/docs/events.json">events.json</a>. See also the
<a href="/docs">API reference</a> and the <a href="/docs/problems">problem types</a>.</p>
${channels.map(([name, channel]) => renderChannel(document, name, channel)).join('\n')}`,
  );
}

function renderChannel(document: AsyncApiDocument, name: string, channel: EventChannel): string {
  const message = document.components.messages[name]!;
  const { key } = message.bindings.kafka;
  const summaries = Object.values(document.operations)
    .filter((operation) => operation.channel.$ref === `#/channels/${name}`)
    .map(({ summary }) => summary);
  const settings = channel.bindings.kafka['topicConfiguration'] as Record<string, number>;
  const facts = {
    Who: summaries.join(', '),
    Key: key.description!,
    'Maximum message size': `${settings['max.message.bytes']! / 1024 / 1024} MiB`,
    'Retention period': `${settings['retention.ms']! / 86_400_000} days`,
    Partitions: String(channel.bindings.kafka['partitions']),
  };
  return `<h2 id="${name}"><code>${channel.address}</code></h2>
<p>${toHtml(channel.summary)} ${toHtml(message.summary)}</p>
${toParagraphs(channel.description)}
<dl>
${Object.entries(facts)
  .map(([term, text]) => `<dt>${term}</dt><dd>${toHtml(text)}</dd>`)
  .join('\n')}
</dl>
<h3>Headers</h3>
${renderFieldTable(renderHeaderRows(message.headers))}
<h3>Body <span class="faint">${message.contentType}</span></h3>
${renderBody(document, message)}
<h3>Example</h3>
${renderExample(message)}`;
}

function renderHeaderRows({ properties = {}, patternProperties = {}, required = [] }: DocumentSchema): string[] {
  const namedHeaders = Object.entries(properties).map(([name, schema]) =>
    renderRow(name, schema, required.includes(name)),
  );
  const prefixedHeaders = Object.entries(patternProperties).map(([pattern, schema]) =>
    renderRow(`${pattern.slice(1)}…`, schema, false),
  );
  return [...namedHeaders, ...prefixedHeaders];
}

/** Returns a field table if the payload refers to a schema, or a sentence about its type otherwise. */
function renderBody(document: AsyncApiDocument, { payload }: EventMessage): string {
  if (payload.$ref === undefined) {
    return `<p>${payload.anyOf ? describeType(payload) : toHtml(payload.description ?? describeType(payload))}.</p>`;
  }
  return renderFieldTable(renderFieldRows(document, payload, 0));
}

function renderFieldRows(document: AsyncApiDocument, { $ref }: DocumentSchema, depth: number): string[] {
  const { properties = {}, required = [] } = document.components.schemas[getSchemaName($ref!)]!;
  return Object.entries(properties).flatMap(([name, schema]) => {
    if (schema.$ref === undefined) return [renderRow(name, schema, required.includes(name), depth)];
    const { type, description = '' } = document.components.schemas[getSchemaName(schema.$ref)]!;
    const line = renderRow(name, { ...schema, type: type!, description }, required.includes(name), depth);
    return [line, ...renderFieldRows(document, schema, depth + 1)];
  });
}

const renderFieldTable = (rows: string[]): string =>
  `<table><tr><th>Name</th><th>Type</th><th>Description</th></tr>\n${rows.join('\n')}\n</table>`;

function renderRow(name: string, schema: DocumentSchema, isRequired: boolean, depth = 0): string {
  const anchor = schema.$ref === undefined ? '' : ` id="${getSchemaName(schema.$ref)}"`;
  const meaning = [schema.description ?? '', describeAllowedValues(schema)].filter((text) => text !== '').join('. ');
  const type = describeType({ ...schema, $ref: undefined });
  return (
    `<tr${anchor} style="--depth: ${depth}"><td><code>${name}</code></td>` +
    `<td>${type}${isRequired ? '' : ' <small>optional</small>'}</td><td>${toHtml(meaning)}</td></tr>`
  );
}

function describeType({ $ref, type, format, items, anyOf, maxItems }: DocumentSchema): string {
  if ($ref !== undefined) return `<a href="#${getSchemaName($ref)}">${getSchemaName($ref)}</a>`;
  if (anyOf !== undefined) return anyOf.map(describeType).join(', or ');
  if (type === 'array')
    return `array of ${describeType(items ?? {})}${maxItems === undefined ? '' : `, at most ${maxItems} items`}`;
  return `${[type ?? 'any'].flat().join(' or ')}${format === undefined ? '' : `, ${format}`}`;
}

function describeAllowedValues(schema: DocumentSchema): string {
  if (schema.const !== undefined) return `Always \`${String(schema.const)}\``;
  const allowedValues = schema.enum?.filter((value) => value !== null);
  return allowedValues === undefined ? '' : `One of ${allowedValues.map((word) => `\`${String(word)}\``).join(', ')}`;
}

function renderExample({ bindings, examples, contentType }: EventMessage): string {
  const { headers, payload } = examples[0]!;
  const key = String(bindings.kafka.key.examples?.[0] ?? '');
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const text = contentType === 'application/json' ? JSON.stringify(payload, null, 2) : String(payload);
  return `<pre><b>key</b>\n${toHtml(key)}\n\n<b>headers</b>\n${toHtml(lines.join('\n'))}\n\n<b>body</b>\n${toHtml(text)}</pre>`;
}

const getSchemaName = ($ref: string): string => $ref.slice($ref.lastIndexOf('/') + 1);

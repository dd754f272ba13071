import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentRecordSchema } from '#libs/contracts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { App } from './kit/app.js';
import { UNAVAILABLE_SOURCES } from './kit/identifier.js';

const FILE = join(import.meta.dirname, '../docs/agents.schema.json');

/** JSON Schema that the documentation must contain, derived from the contract. */
const published = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Agents',
  description: 'File of agents, as written by "agent-traffic agents export" and served by feeds',
  type: 'array',
  maxItems: 10_000,
  items: JSON.parse(JSON.stringify(AgentRecordSchema, (name, value: unknown) => (name === '$id' ? undefined : value))),
};

it('publishes a JSON schema for agents that matches the contract and accepts an export', async () => {
  expect(JSON.parse(await readFile(FILE, 'utf8'))).toEqual(published);
  const app = await App.start({ sources: UNAVAILABLE_SOURCES });
  const { body } = await app.api('GET', '/agents/export?origin=all');
  await app.dispose();
  expect(body.length).toBeGreaterThan(2_000);
  const isValid = new Ajv2020().compile(published);
  expect([isValid(body), isValid.errors]).toEqual([true, null]);
  expect(isValid([{ ...body[0], type: 'Robot' }])).toBe(false);
});

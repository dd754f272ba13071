import { Client, type PoolClient } from 'pg';
import { jest } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { connectionPool } from '#libs/database';

/** Transaction control and settings, which aren't recorded. */
const IGNORED_STATEMENT = /^\s*(START TRANSACTION|BEGIN|COMMIT|ROLLBACK|SET |SELECT set_config)/;

/** Records the statements sent to PostgreSQL, until `jest.restoreAllMocks()` is called. */
export class StatementRecorder {
  private readonly clients = new WeakSet<object>();
  private texts: string[] = [];

  /** @param dataSource Data source whose connections are recorded from their next use. */
  constructor(dataSource: DataSource) {
    connectionPool(dataSource).on('acquire', (client: PoolClient) => this.clients.add(client));
    const { clients, texts } = this;
    const query = Client.prototype.query as (...parameters: unknown[]) => unknown;
    jest.spyOn(Client.prototype, 'query').mockImplementation(function (this: object, ...parameters: unknown[]) {
      const [statement] = parameters as [string | { text: string }];
      if (clients.has(this)) texts.push(typeof statement === 'string' ? statement : statement.text);
      return query.apply(this, parameters);
    } as typeof Client.prototype.query);
  }

  /** Returns the distinct statements since the last call, without the source code's indentation. */
  take(): string[] {
    const texts = new Set(this.texts.splice(0).filter((text) => !IGNORED_STATEMENT.test(text)));
    return [...texts].map(removeIndent);
  }
}

function removeIndent(text: string): string {
  const [first, ...others] = text.trim().split('\n');
  const indents = others.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length);
  // The first line may follow a quotation mark, so ignore its indentation.
  const indent = Math.min(...indents);
  return [first, ...others.map((line) => line.slice(indent))].map((line) => line!.trimEnd()).join('\n');
}

import { Injectable } from '@nestjs/common';
import type { Query } from '../reading/snapshot-reader.repository.js';

/** Reads who is behind the assistants of the catalog. */
@Injectable()
export class AssistantOperatorsRepository {
  /** Operators by the name of the assistant. */
  async find(query: Query): Promise<Map<string, string>> {
    const rows = await query<{ name: string; operator: string }>(
      `SELECT coalesce(own, bundled) ->> 'name' AS name, coalesce(own, bundled) ->> 'operator' AS operator FROM assistants`,
      [],
      'once',
    );
    return new Map(rows.map(({ name, operator }) => [name, operator]));
  }
}

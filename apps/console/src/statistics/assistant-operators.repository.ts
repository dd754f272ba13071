import { Injectable } from '@nestjs/common';
import { selectWithGenericPlan, type Snapshot } from '#libs/visit-store';

/** Reads who is behind the assistants of the catalog. */
@Injectable()
export class AssistantOperatorsRepository {
  /** Operators by the name of the assistant. */
  async find(snapshot: Snapshot): Promise<Map<string, string>> {
    const rows = await selectWithGenericPlan<{ name: string; operator: string }>(
      snapshot,
      `SELECT coalesce(own, bundled) ->> 'name' AS name, coalesce(own, bundled) ->> 'operator' AS operator FROM assistants`,
      [],
    );
    return new Map(rows.map(({ name, operator }) => [name, operator]));
  }
}

import { Injectable } from '@nestjs/common';
import type { RulesSelection } from '#libs/contracts';
import { DataSource } from 'typeorm';
import { BlockingRules } from './blocking-rules.js';

interface SavedRules {
  project_id: string;
  selection: RulesSelection;
}

@Injectable()
export class ProjectRulesRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Returns rules by project ID. Omits projects without saved rules. */
  async find(projectIds: readonly string[]): Promise<Map<string, BlockingRules>> {
    const saved: SavedRules[] = await this.dataSource.query(
      `SELECT DISTINCT ON (project_id) project_id, selection FROM rules_versions WHERE project_id = ANY ($1::uuid[])
       ORDER BY project_id, saved_at DESC, id DESC`,
      [projectIds],
    );
    const [aliases, byBehavior] = await Promise.all([this.aliases(saved), this.tokensByBehavior(saved)]);
    return new Map(
      saved.map(({ project_id: projectId, selection }) => {
        const toTokens = (names: readonly string[] = []) =>
          names.flatMap((name) => [name, ...(aliases.get(name) ?? [])]);
        return [
          projectId,
          new BlockingRules(selection, toTokens(selection.excluded_agent_tokens), [
            ...toTokens(selection.agent_tokens),
            ...(selection.agent_behaviors ?? []).flatMap((behavior) => byBehavior.get(behavior) ?? []),
          ]),
        ];
      }),
    );
  }

  /** Returns agent tokens by behavior, for all behaviors that the selections contain. */
  private async tokensByBehavior(saved: readonly SavedRules[]): Promise<ReadonlyMap<string, string[]>> {
    const behaviors = [...new Set(saved.flatMap(({ selection }) => selection.agent_behaviors ?? []))];
    if (behaviors.length === 0) return new Map();
    const rows: { behavior: string; tokens: string[] }[] = await this.dataSource.query(
      `SELECT behavior, array_agg(record ->> 'token') AS tokens
       FROM agents
         JOIN unnest($1::text[]) AS behavior ON record -> 'behaviors' ? behavior
       GROUP BY behavior`,
      [behaviors],
    );
    return new Map(rows.map(({ behavior, tokens }) => [behavior, tokens]));
  }

  /**
   * Returns the tokens of agents that are selected or excluded by their robots.txt name. Each key is such a name, spelled
   * as in the selection.
   */
  private async aliases(saved: readonly SavedRules[]): Promise<ReadonlyMap<string, string[]>> {
    const names = [
      ...new Set(
        saved.flatMap(({ selection: { agent_tokens: selected = [], excluded_agent_tokens: excluded = [] } }) => [
          ...selected,
          ...excluded,
        ]),
      ),
    ];
    if (names.length === 0) return new Map();
    const rows: { name: string; tokens: string[] }[] = await this.dataSource.query(
      `SELECT name, array_agg(record ->> 'token') AS tokens
       FROM agents
         JOIN unnest($1::text[]) AS name ON lower(record ->> 'robots_token') = lower(name)
       GROUP BY name`,
      [names],
    );
    return new Map(rows.map(({ name, tokens }) => [name, tokens]));
  }
}

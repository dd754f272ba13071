import type { ReportSection } from '#libs/contracts';

/** Returns the URL of a project's page, limited to the reported period. */
export type ToPageUrl = (path: string, search?: Readonly<Record<string, string | readonly string[]>>) => string;

export const formatCount = (value: number): string => value.toLocaleString('en-US');

/** Formats a count with its noun, as in "1 visit" or "1,200 visits". */
export const formatNumberOf = (value: number, one: string, many = `${one}s`): string =>
  `${formatCount(value)} ${value === 1 ? one : many}`;

export const getAgentName = ({ agent_token: token }: { agent_token: string | null }): string =>
  token ?? 'No longer in the catalog';

/** Creates a section. All parts but the title are optional. */
export const createSection = (title: string, parts: Partial<ReportSection>): ReportSection => ({
  title,
  text: '',
  items: [],
  unit: '',
  rows: [],
  ...parts,
});

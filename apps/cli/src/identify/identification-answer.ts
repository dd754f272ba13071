import type { Identification } from '#libs/agents';
import type { Explanation } from '#libs/contracts';

/** Identification with its evidence. Assumes that the server only returns values that this release knows. */
export interface IdentificationAnswer extends Explanation {
  identification: Identification & Explanation['identification'];
}

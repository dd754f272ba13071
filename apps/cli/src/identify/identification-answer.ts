import type { Identification } from '#libs/agents';
import type { Explanation } from '#libs/contracts';

/** An identification with its evidence, whose words are those of this release. */
export interface IdentificationAnswer extends Explanation {
  identification: Identification & Explanation['identification'];
}

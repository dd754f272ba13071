import type { Identification } from '#libs/agents';
import type { Explanation } from '#libs/contracts';

/** Identification response. The type assumes that the server only returns values known to this release. */
export interface IdentificationResponse extends Explanation {
  identification: Identification & Explanation['identification'];
}

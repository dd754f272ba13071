import type { SignatureReason } from '../vocabulary.js';
import type { ComponentValue } from './component-values.js';
import type { CoveredComponent } from './signature-fields.js';

/** A signature over more than this is not checked. */
const MAX_CHARACTERS = 16_384;

/**
 * The text that is signed: RFC 9421 section 2.5.
 *
 * @param signatureParams the label's inner list, serialized.
 * @param valueOf resolves one component, or says why it can't.
 */
export function signatureBase(
  components: readonly CoveredComponent[],
  signatureParams: string,
  valueOf: (component: CoveredComponent) => ComponentValue,
): string | { fault: SignatureReason } {
  let base = '';
  for (const component of components) {
    const value = valueOf(component);
    if (typeof value !== 'string') return value;
    base += `${component.identifier}: ${value}\n`;
    // A line break in a value would add a line of the sender's choice.
    if (base.length > MAX_CHARACTERS || !/^[\t -~]*$/.test(value)) return { fault: 'component_unavailable' };
  }
  return `${base}"@signature-params": ${signatureParams}`;
}

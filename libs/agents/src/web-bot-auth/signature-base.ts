import type { SignatureReason } from '../vocabulary.js';
import type { ComponentValue } from './component-values.js';
import type { CoveredComponent } from './signature-fields.js';

const MAX_CHARACTERS = 16_384;

/**
 * Returns the signature base, which is the signed text (RFC 9421, section 2.5).
 *
 * @param signatureParams Serialized inner list of the label.
 * @param valueOf Returns the value of a component, or why it has none.
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
    // A line break in a value would let the sender add lines.
    if (base.length > MAX_CHARACTERS || !/^[\t -~]*$/.test(value)) return { fault: 'component_unavailable' };
  }
  return `${base}"@signature-params": ${signatureParams}`;
}

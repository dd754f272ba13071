import type { SignatureReason } from '../vocabulary.js';
import type { ComponentValue } from './component-values.js';
import type { CoveredComponent } from './signature-fields.js';

const MAX_BASE_CHARACTERS = 16_384;

/**
 * Returns the signature base, i.e. the text that is signed (RFC 9421, section 2.5).
 *
 * @param signatureParams The label's serialized inner list.
 * @param getValue Returns a component's value, or a fault if there is none.
 */
export function buildSignatureBase(
  components: readonly CoveredComponent[],
  signatureParams: string,
  getValue: (component: CoveredComponent) => ComponentValue,
): string | { fault: SignatureReason } {
  let base = '';
  for (const component of components) {
    const value = getValue(component);
    if (typeof value !== 'string') return value;
    base += `${component.identifier}: ${value}\n`;
    // A line break in a value would let the sender inject lines.
    if (base.length > MAX_BASE_CHARACTERS || !/^[\t -~]*$/.test(value)) return { fault: 'component_unavailable' };
  }
  return `${base}"@signature-params": ${signatureParams}`;
}

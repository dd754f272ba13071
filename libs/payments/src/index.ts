export { addAmounts, parseAmount } from './amount.js';
export { PAYMENT_REQUEST_HEADERS, PAYMENT_RESPONSE_HEADERS } from './headers.js';
export { getMinorDigits } from './minor-digits.js';
export { getPaymentSigns, type PaymentSigns } from './payment-signs.js';
export { readPayment, type Payment } from './payment.js';
export type { Price } from './price.js';
export { REDUCED_PAYMENT_HEADERS, reducePaymentHeader } from './reduce-header.js';

import {
  MAX_PAYMENT_DETAILS,
  PAYMENT_OUTCOMES,
  type PaymentAgent,
  type PaymentCounts,
  type PaymentSum,
  type Project,
} from '#libs/contracts';
import { addAmounts, parseAmount, type Payment, type Price } from '#libs/payments';
import type { PaymentEvent } from './payment-events.js';

const PAYMENT_REQUIRED = 402;

type PaymentPrice = PaymentAgent['prices'][number];

/** List prices by currency. The first one also applies to requests without a price. */
export class ListPrices {
  private readonly prices: ReadonlyMap<string, string>;

  constructor(prices: Project['list_prices']) {
    this.prices = new Map(prices.map(({ currency, amount }) => [currency, parseAmount(amount)!]));
  }

  /** Returns the list price of a request, the offered price if its currency has none, or null if there is no price. */
  find(offered: Price | null): Price | null {
    if (offered === null) {
      const [first] = this.prices;
      return first === undefined ? null : { currency: first[0], amount: first[1] };
    }
    const amount = this.prices.get(offered.currency);
    return amount === undefined ? offered : { currency: offered.currency, amount };
  }
}

/** Counts and sums of a group of payments. */
export class PaymentSums {
  /** False if the site asked for a payment with another status than 402, or returned that status for another reason. */
  isAskedByStatus = true;
  private readonly counts = { asked: 0, walked_away: 0, offered: 0, paid: 0, licensed: 0, failed: 0 };
  private readonly unasked = { offered: 0, paid: 0, licensed: 0, failed: 0 };
  private readonly paid = new CurrencySums();
  private readonly unpaid = new CurrencySums();
  private readonly prices = new Map<string, PaymentPrice>();

  constructor(private readonly listPrices: ListPrices) {}

  /** Number of payments. */
  get visits(): number {
    return PAYMENT_OUTCOMES.reduce((sum, outcome) => sum + this.counts[outcome], 0);
  }

  add({ payment, status, isWalkedAway, isUnasked }: PaymentEvent): void {
    this.counts[payment.outcome] += 1;
    if (isUnasked && payment.outcome !== 'asked') this.unasked[payment.outcome] += 1;
    if ((payment.outcome === 'asked') !== (status === PAYMENT_REQUIRED)) this.isAskedByStatus = false;
    if (payment.outcome === 'paid') this.paid.add(payment.price);
    if (isWalkedAway) {
      this.counts.walked_away += 1;
      this.unpaid.add(this.listPrices.find(payment.price));
    }
    this.addPrice(payment);
  }

  build(): PaymentCounts {
    return {
      ...this.counts,
      unasked: this.unasked,
      paid_amounts: this.paid.list(),
      paid_without_amount: this.paid.withoutAmount,
      unpaid_amounts: this.unpaid.list(),
      unpaid_without_amount: this.unpaid.withoutAmount,
    };
  }

  describePrices(): PaymentPrice[] {
    return [...this.prices.values()].toSorted((one, other) => other.visits - one.visits).slice(0, MAX_PAYMENT_DETAILS);
  }

  private addPrice({ scheme, outcome, price, alternatives, error }: Payment): void {
    const { amount, currency } = price ?? { amount: null, currency: null };
    const key = JSON.stringify([scheme, outcome, amount, currency, alternatives, error]);
    const counted = this.prices.get(key);
    if (counted === undefined)
      this.prices.set(key, { scheme, outcome, amount, currency, alternatives, error, visits: 1 });
    else counted.visits += 1;
  }
}

/** Exact sums by currency. */
class CurrencySums {
  withoutAmount = 0;
  private readonly sums = new Map<string, PaymentSum>();

  add(price: Price | null): void {
    if (price === null) {
      this.withoutAmount += 1;
      return;
    }
    const { currency, amount } = price;
    const sum = this.sums.get(currency) ?? { currency, amount: '0', visits: 0 };
    this.sums.set(currency, { currency, amount: addAmounts(sum.amount, amount), visits: sum.visits + 1 });
  }

  list(): PaymentSum[] {
    return [...this.sums.values()].toSorted((one, other) => other.visits - one.visits).slice(0, MAX_PAYMENT_DETAILS);
  }
}

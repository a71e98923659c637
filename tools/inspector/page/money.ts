/** An amount in the smallest unit of its currency, as people write it. */
export function moneyText(amount: number, currency: string): string {
  try {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency: currency.toUpperCase() });
    return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
  } catch {
    return `${amount} ${currency}`;
  }
}

const MONEY = /(?:^|_)(?:amount|total|subtotal|balance|fee|net|tax)(?:_|$)/;

/** The amount of a field as money, where its name and the object's currency say that it is; else null. */
export function fieldMoney(name: string, value: unknown, currency: unknown): string | null {
  if (typeof value !== 'number' || typeof currency !== 'string' || !MONEY.test(name)) return null;
  return /percent|count|rate/.test(name) ? null : moneyText(value, currency);
}

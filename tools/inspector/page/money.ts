/** Formats an amount in the smallest unit of its currency. */
export function moneyText(amount: number, currency: string): string {
  try {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency: currency.toUpperCase() });
    return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
  } catch {
    return `${amount} ${currency}`;
  }
}

const MONEY = /(?:^|_)(?:amount|total|subtotal|balance|fee|net|tax)(?:_|$)/;

/** Formats a field's amount as money, if its name and the object's currency suggest it; else null. */
export function fieldMoney(name: string, value: unknown, currency: unknown): string | null {
  if (typeof value !== 'number' || typeof currency !== 'string' || !MONEY.test(name)) return null;
  return /percent|count|rate/.test(name) ? null : moneyText(value, currency);
}

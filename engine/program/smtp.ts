import type { Operation } from './operation.js';

/** The operation that receives mail by SMTP. */
export interface SmtpPlan {
  readonly operation: Operation;
  /** The parameters of the call, as JMESPath over the mail. */
  readonly with: Readonly<Record<string, string>>;
  /** The SMTP error text, as JMESPath over the body of a rejection; null: the body itself. */
  readonly error: string | null;
}

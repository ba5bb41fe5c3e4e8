// Describes the words of mails, of account mails and of the pages behind links of mails.

import type { AccountChange } from '../domain/people/account-change.ts'

/** Of one language. */
export interface EdgeWords {
  dir?: 'rtl'
  footer: FooterWords
  links: LinkWords
  /** English where absent. */
  account?: AccountWords
}

/** Below a mail. */
export interface FooterWords {
  /** Why the person gets the mail. */
  why: string
  stop: string
  /** Leads to the page with the user's categories. */
  preferences: string
  /** In place of both, where nobody can turn the mails off. */
  always: string
}

/** Of the pages behind links of mails. */
export interface LinkWords {
  /** An address that is not ours. */
  broken: readonly [title: string, text: string]
  /** The message was removed. */
  gone: readonly [title: string, text: string]
  critical: readonly [title: string, text: string]
  ask: string
  /** The button. */
  stop: string
  done: string
  /** `{}` is the category. */
  noMore: string
  noMoreOfAll: string
  /** The button behind the change, and what it leads to. */
  again: string
  back: string
  more: string
  moreOfAll: string
  /** The title of the page with the user's categories. */
  yours: string
  /** Messages without a category. */
  others: string
  /** In place of the button of a critical category. */
  always: string
}

/** Of account mails. The dashboard itself is in English, so roles keep their English names. */
export interface AccountWords {
  invitation: {
    subject: string
    title: string
    /** `by`: the address of the person who invites. */
    text: string
    /** Of an invitation by the command line. */
    textOfOperator: string
    button: string
    until: string
    ignore: string
  }
  reset: { title: string; text: string; until: string; ignore: string }
  changes: Record<AccountChange, string>
  changed: { text: string; otherwise: string }
  ending: EndingWords
  /** To those who can approve what a person asks to publish. */
  approval: { subject: string; title: string; text: string; note: string; until: string; button: string }
}

/** Of mails about old values of secrets that end soon. */
export interface EndingWords {
  subject: string
  title: string
  /** `kind`: as the API names it. */
  text: string
  used: string
  unused: string
  next: string
  button: string
}

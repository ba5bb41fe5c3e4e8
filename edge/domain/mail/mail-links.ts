// Declares how the addresses of our own routes in a mail are signed.

/** The mail that an address belongs to. */
export interface LinkedMail {
  environmentId: number
  messageId: number
}

export interface MailLinks {
  /** Address of the pixel. */
  open(mail: LinkedMail): string
  click(mail: LinkedMail, target: string): string
  unsubscribe(mail: LinkedMail): string
}

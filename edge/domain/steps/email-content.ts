// What a mail says: from templates to the snapshot that is stored with its record (contract sections 6 and 7). Output is escaped for what it becomes.

import type { MessageContent } from '../../../contract/api.ts'
import type { EmailStep } from '../campaign.ts'
import { checkHtmlLinks } from '../expression/html-links.ts'
import { checkMarkdownLinks } from '../expression/markdown.ts'
import { mustCompileTemplate, type TemplateScope } from '../expression/template.ts'
import { clean, cut, emptyContent, oneLine } from './message-content.ts'

/** A header line has to fit mail programs; what is longer is cut. */
const MAX_SUBJECT_CHARS = 1000

/** The parts of a mail; exactly one of `html` and `markdown` is there. */
export interface EmailContent {
  subject: string
  preheader: string | null
  html: string | null
  markdown: string | null
  text: string | null
}

/** A mail in the shape of all messages: its subject is the title, its plainest part the body. */
export interface EmailMessageContent extends MessageContent {
  email: EmailContent
}

export interface CompiledEmailContent {
  /** Throws TemplateError. `fallbackTitle` stands in for a subject that renders to nothing. */
  render(scope: TemplateScope, fallbackTitle: string, category: string | null): EmailMessageContent
}

/** Compiles an email step that was checked when it was saved. */
export function compileEmailContent(step: EmailStep): CompiledEmailContent {
  const subject = mustCompileTemplate(step.subject, 'text')
  const preheader = optional(step.preheader, 'text')
  const html = optional(step.html, 'html')
  const markdown = optional(step.markdown, 'markdown')
  const text = optional(step.text, 'text')
  return {
    render(scope, fallbackTitle, category) {
      const title = cut(oneLine(subject.render(scope)), MAX_SUBJECT_CHARS)
      const email: EmailContent = {
        subject: title === '' ? fallbackTitle : title,
        preheader: preheader === null ? null : cut(oneLine(preheader.render(scope)), MAX_SUBJECT_CHARS),
        html: html === null ? null : checkHtmlLinks(clean(html.render(scope))),
        markdown: markdown === null ? null : checkMarkdownLinks(clean(markdown.render(scope))),
        text: text === null ? null : clean(text.render(scope)),
      }
      const body = email.text ?? email.markdown ?? ''
      const bodyFormat = email.text === null && email.markdown !== null ? 'markdown' : 'text'
      return { ...emptyContent(category), title: email.subject, body, bodyFormat, email }
    },
  }
}

function optional(source: string | undefined, kind: 'text' | 'markdown' | 'html') {
  return source === undefined ? null : mustCompileTemplate(source, kind)
}

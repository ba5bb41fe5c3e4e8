// Renders the rare fields of a mail: sender, replies, copies, headers and attachments.

import { html, type TemplateResult } from 'lit'
import { type Path, readAt } from '../../../../editor/step-tree.ts'
import { edit, type Form, frame, templateField, textField } from '../form-field.ts'
import { listRows } from '../list-rows.ts'
import { pairsField } from '../pairs-field.ts'
import { recordOf } from '../step-edits.ts'

export const ENVELOPE = ['from', 'replyTo', 'cc', 'bcc', 'headers', 'attachments']

export function envelopeForm(form: Form, path: Path): TemplateResult {
  const at = (key: string): Path => [...path, key]
  const { senders } = form.choices
  return html`
    ${textField(form, { path: at('from'), label: 'From', placeholder: 'Name <address>', hint: 'Empty: the sender of the notification config.', ...(senders && { list: senders }) })}
    ${templateField(form, { path: at('replyTo'), label: 'Replies to' })}
    ${copies(form, at('cc'), 'Copy to')} ${copies(form, at('bcc'), 'Hidden copy to')}
    ${pairsField(form, { path: at('headers'), label: 'Headers', item: 'Header' })}
    ${listRows(form, {
      path: at('attachments'),
      label: 'Attachments',
      item: 'Attachment',
      add: 'Attach a file',
      newItem: () => ({ filename: '', url: '' }),
      row: (own) => attachmentFields(form, own),
    })}
  `
}

/** One address may stand without its list. */
function copies(form: Form, path: Path, label: string): TemplateResult {
  if (typeof readAt(form.draft, path) === 'string') return templateField(form, { path, label })
  return listRows(form, {
    path,
    label,
    item: label,
    add: 'Add an address',
    isCompact: true,
    newItem: () => '',
    row: (own, name) => templateField(form, { path: own, label: name, isRequired: true, isLabelHidden: true }),
  })
}

const BYTES_OF_BASE64 = 0.75

function attachmentFields(form: Form, path: Path): TemplateResult {
  const { content } = recordOf(readAt(form.draft, path))
  const own = [...path, 'content']
  return html`
    ${templateField(form, { path: [...path, 'filename'], label: 'Name of the file', isRequired: true })}
    ${
      typeof content === 'string'
        ? frame(
            form,
            { path: own, label: 'File' },
            ({ id }) =>
              html`<div class="form-links" id=${id} tabindex="-1"><span>In the campaign, ${Math.round(content.length * BYTES_OF_BASE64)} bytes</span>${form.mayChange ? html`<button type="button" class="link-button" @click=${() => edit(form, own, undefined, 'Attached file')}>Remove the bytes</button>` : ''}</div>`,
          )
        : templateField(form, {
            path: [...path, 'url'],
            label: 'Fetched from',
            placeholder: 'https://',
            hint: 'When the mail is sent.',
          })
    }
    ${textField(form, { path: [...path, 'contentType'], label: 'Type', placeholder: 'application/pdf', isMono: true })}
  `
}

// Holds the words of mails and of pages behind their links, in German.

import type { EdgeWords } from './words.ts'

export const de: EdgeWords = {
  footer: {
    why: 'Sie erhalten diese E-Mail aufgrund Ihrer Einstellungen für Benachrichtigungen.',
    stop: 'Abbestellen',
    preferences: 'Einstellungen',
    always: 'Dies ist eine wichtige Nachricht. E-Mails dieser Art lassen sich nicht abbestellen.',
  },
  links: {
    broken: [
      'Dieser Link funktioniert nicht',
      'Er wurde unterwegs vielleicht gekürzt oder verändert. Öffnen Sie ihn bitte noch einmal aus der E-Mail.',
    ],
    gone: ['Diese E-Mail ist nicht mehr bekannt', 'Es gibt nichts mehr abzubestellen.'],
    critical: [
      'Diese E-Mails lassen sich nicht abbestellen',
      'Sie enthalten, was Sie wissen müssen, zum Beispiel zu Ihrem Konto.',
    ],
    ask: 'E-Mails abbestellen?',
    stop: 'Abbestellen',
    done: 'Sie haben die E-Mails abbestellt',
    noMore: 'Sie erhalten keine E-Mails mehr zu „{}“.',
    noMoreOfAll: 'Sie erhalten keine E-Mails mehr, außer wichtigen.',
    again: 'Wieder bestellen',
    back: 'Sie erhalten die E-Mails wieder',
    more: 'Sie erhalten E-Mails zu „{}“ wie zuvor.',
    moreOfAll: 'Sie erhalten E-Mails wie zuvor.',
    yours: 'Welche E-Mails Sie erhalten',
    others: 'Andere Nachrichten',
    always: 'Immer gesendet',
  },
  account: {
    invitation: {
      subject: 'Einladung zu {organisation}',
      title: 'Sie sind eingeladen',
      text: '{by} lädt Sie ein, {organisation} beizutreten, mit der Rolle {role}.',
      textOfOperator: 'Sie sind eingeladen, {organisation} beizutreten, mit der Rolle {role}.',
      button: 'Einladung annehmen',
      until: 'Der Link gilt einmal, sieben Tage lang.',
      ignore: 'Wenn Sie diese Einladung nicht erwartet haben, ignorieren Sie diese E-Mail.',
    },
    reset: {
      title: 'Neues Passwort festlegen',
      text: 'Jemand hat für Ihr Konto {email} ein neues Passwort angefordert.',
      until: 'Der Link gilt einmal, eine Stunde lang.',
      ignore: 'Wenn Sie das nicht waren, ignorieren Sie diese E-Mail. Ihr Passwort bleibt, wie es ist.',
    },
    changes: {
      password: 'Ihr Passwort wurde geändert',
      'totp-on': 'Einmalcodes wurden eingeschaltet',
      'totp-off': 'Einmalcodes wurden ausgeschaltet',
      'passkey-added': 'Ein Passkey wurde hinzugefügt',
      'passkey-removed': 'Ein Passkey wurde entfernt',
      'passkeys-removed': 'Alle Passkeys wurden entfernt',
    },
    changed: {
      text: 'Das wurde in Ihrem Konto {email} geändert.',
      otherwise:
        'Wenn Sie das nicht waren, legen Sie sofort ein neues Passwort fest, lassen Sie dabei Ihre Passkeys entfernen und informieren Sie einen Owner Ihrer Organisation.',
    },
    ending: {
      subject: 'Ein alter Schlüssel von {environment} endet bald',
      title: 'Ein alter Wert endet bald',
      text: 'Der alte Wert von {kind} in {environment} endet am {endsAt}. Danach wird er abgelehnt.',
      used: 'Er wurde zuletzt am {lastUsedAt} benutzt: Geben Sie seinen Aufrufern den neuen Wert, oder verlängern Sie die Überlappung.',
      unused: 'Er wurde nicht mehr benutzt, seit es den neuen Wert gibt.',
      next: 'Diese E-Mail kommt einmal für jeden Wert.',
      button: 'Geheimnisse öffnen',
    },
    approval: {
      subject: '{by} möchte „{campaign}“ in {environment} veröffentlichen',
      title: 'Eine Kampagne wartet auf Freigabe',
      text: '{by} möchte „{campaign}“ in {environment} veröffentlichen. Eine zweite Person muss das freigeben, zum Beispiel Sie.',
      note: 'Die Notiz dazu: {note}',
      until: 'Bis dahin ändert sich für Ihre Nutzer nichts.',
      button: 'Ansehen',
    },
  },
}

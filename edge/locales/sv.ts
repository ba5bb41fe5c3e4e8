// Holds the words of mails and of pages behind their links, in Swedish.

import type { EdgeWords } from './words.ts'

export const sv: EdgeWords = {
  footer: {
    why: 'Du får det här mejlet på grund av dina aviseringsinställningar.',
    stop: 'Avsluta prenumerationen',
    preferences: 'Inställningar',
    always: 'Det här är ett viktigt meddelande. Mejl av det här slaget kan inte stängas av.',
  },
  links: {
    broken: ['Den här länken fungerar inte', 'Den kan ha kapats eller ändrats på vägen. Öppna den igen från mejlet.'],
    gone: ['Det här mejlet är inte längre känt', 'Det finns inget kvar att avsluta.'],
    critical: ['De här mejlen kan inte stängas av', 'De innehåller det du behöver veta, till exempel om ditt konto.'],
    ask: 'Avsluta prenumerationen?',
    stop: 'Avsluta prenumerationen',
    done: 'Prenumerationen är avslutad',
    noMore: 'Du får inga fler mejl om ”{}”.',
    noMoreOfAll: 'Du får inga fler mejl, utom viktiga.',
    again: 'Prenumerera igen',
    back: 'Du prenumererar igen',
    more: 'Du får mejl om ”{}” som förut.',
    moreOfAll: 'Du får mejl som förut.',
    yours: 'Vilka mejl du får',
    others: 'Andra meddelanden',
    always: 'Skickas alltid',
  },
  account: {
    invitation: {
      subject: 'Inbjudan till {organisation}',
      title: 'Du är inbjuden',
      text: '{by} bjuder in dig till {organisation} med rollen {role}.',
      textOfOperator: 'Du är inbjuden till {organisation} med rollen {role}.',
      button: 'Acceptera inbjudan',
      until: 'Länken fungerar en gång, i sju dagar.',
      ignore: 'Om du inte väntade dig den här inbjudan kan du bortse från mejlet.',
    },
    reset: {
      title: 'Välj ett nytt lösenord',
      text: 'Någon har begärt ett nytt lösenord för ditt konto {email}.',
      until: 'Länken fungerar en gång, i en timme.',
      ignore: 'Om det inte var du kan du bortse från mejlet. Ditt lösenord ändras inte.',
    },
    changes: {
      password: 'Ditt lösenord har ändrats',
      'totp-on': 'Engångskoder har slagits på',
      'totp-off': 'Engångskoder har slagits av',
      'passkey-added': 'En passkey har lagts till',
      'passkey-removed': 'En passkey har tagits bort',
      'passkeys-removed': 'Alla passkeys har tagits bort',
    },
    changed: {
      text: 'Detta har ändrats i ditt konto {email}.',
      otherwise:
        'Om det inte var du ska du genast välja ett nytt lösenord, samtidigt låta ta bort dina passkeys och kontakta en owner i din organisation.',
    },
    ending: {
      subject: 'En gammal nyckel för {environment} upphör snart',
      title: 'Ett gammalt värde upphör snart',
      text: 'Det gamla värdet för {kind} i {environment} upphör {endsAt}. Därefter avvisas det.',
      used: 'Det användes senast {lastUsedAt}: ge användarna det nya värdet eller förläng överlappningen.',
      unused: 'Det har inte använts sedan det nya värdet skapades.',
      next: 'Det här mejlet skickas en gång per värde.',
      button: 'Öppna hemligheterna',
    },
    approval: {
      subject: '{by} vill publicera ”{campaign}” i {environment}',
      title: 'En kampanj väntar på godkännande',
      text: '{by} vill publicera ”{campaign}” i {environment}. En andra person måste godkänna det, till exempel du.',
      note: 'Anteckningen: {note}',
      until: 'Tills dess ändras ingenting för dina användare.',
      button: 'Visa kampanjen',
    },
  },
}

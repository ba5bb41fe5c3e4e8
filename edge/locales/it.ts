// Holds the words of mails and of pages behind their links, in Italian.

import type { EdgeWords } from './words.ts'

export const it: EdgeWords = {
  footer: {
    why: 'Ricevi questa e-mail in base alle tue preferenze di notifica.',
    stop: 'Annulla iscrizione',
    preferences: 'Preferenze',
    always: 'Questo è un messaggio importante. Le e-mail di questo tipo non si possono disattivare.',
  },
  links: {
    broken: [
      'Questo link non funziona',
      'Forse è stato tagliato o modificato lungo il percorso. Aprilo di nuovo dall’e-mail.',
    ],
    gone: ['Questa e-mail non è più nota', 'Non resta nulla da annullare.'],
    critical: [
      'Queste e-mail non si possono disattivare',
      'Contengono ciò che devi sapere, ad esempio sul tuo account.',
    ],
    ask: 'Annullare l’iscrizione?',
    stop: 'Annulla iscrizione',
    done: 'Iscrizione annullata',
    noMore: 'Non riceverai più e-mail su «{}».',
    noMoreOfAll: 'Non riceverai più e-mail, tranne quelle importanti.',
    again: 'Iscriviti di nuovo',
    back: 'Iscrizione di nuovo attiva',
    more: 'Ricevi le e-mail su «{}» come prima.',
    moreOfAll: 'Ricevi le e-mail come prima.',
    yours: 'Quali e-mail ricevi',
    others: 'Altri messaggi',
    always: 'Sempre inviato',
  },
  account: {
    invitation: {
      subject: 'Invito a {organisation}',
      title: 'Hai ricevuto un invito',
      text: '{by} ti invita a entrare in {organisation} con il ruolo {role}.',
      textOfOperator: 'Sei stato invitato a entrare in {organisation} con il ruolo {role}.',
      button: 'Accetta l’invito',
      until: 'Il link funziona una sola volta, per sette giorni.',
      ignore: 'Se non aspettavi questo invito, ignora questa e-mail.',
    },
    reset: {
      title: 'Imposta una nuova password',
      text: 'Qualcuno ha chiesto una nuova password per il tuo account {email}.',
      until: 'Il link funziona una sola volta, per un’ora.',
      ignore: 'Se non sei stato tu, ignora questa e-mail. La tua password resta invariata.',
    },
    changes: {
      password: 'La tua password è stata modificata',
      'totp-on': 'I codici monouso sono stati attivati',
      'totp-off': 'I codici monouso sono stati disattivati',
      'passkey-added': 'È stata aggiunta una passkey',
      'passkey-removed': 'È stata rimossa una passkey',
      'passkeys-removed': 'Sono state rimosse tutte le passkey',
    },
    changed: {
      text: 'Questa modifica riguarda il tuo account {email}.',
      otherwise:
        'Se non sei stato tu, imposta subito una nuova password, fai rimuovere lì le tue passkey e avvisa un owner della tua organizzazione.',
    },
    ending: {
      subject: 'Una vecchia chiave di {environment} scade presto',
      title: 'Un vecchio valore scade presto',
      text: 'Il vecchio valore di {kind} in {environment} scade il {endsAt}. Dopo verrà rifiutato.',
      used: 'È stato usato l’ultima volta il {lastUsedAt}: fornisci il nuovo valore a chi lo usa o prolunga la transizione.',
      unused: 'Non è stato usato da quando esiste il nuovo valore.',
      next: 'Questa e-mail viene inviata una sola volta per valore.',
      button: 'Apri i segreti',
    },
    approval: {
      subject: '{by} chiede di pubblicare «{campaign}» in {environment}',
      title: 'Una campagna attende l’approvazione',
      text: '{by} chiede di pubblicare «{campaign}» in {environment}. Deve approvarlo una seconda persona, per esempio tu.',
      note: 'La nota dice: {note}',
      until: 'Fino ad allora non cambia nulla per i tuoi utenti.',
      button: 'Apri la campagna',
    },
  },
}

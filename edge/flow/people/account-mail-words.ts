// Holds the words of account mails, by language. The dashboard itself is in English, so roles keep their English names.

import type { AccountChange } from '../../domain/people/account-change.ts'
import { ENDING_WORDS, type EndingWords } from './ending-mail-words.ts'

export interface AccountMailWords {
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
}

const WORDS: Record<string, Omit<AccountMailWords, 'ending'>> = {
  en: {
    invitation: {
      subject: 'Invitation to {organisation}',
      title: 'You are invited',
      text: '{by} invites you to join {organisation} as {role}.',
      textOfOperator: 'You are invited to join {organisation} as {role}.',
      button: 'Accept the invitation',
      until: 'The link works once, within seven days.',
      ignore: 'If you did not expect this invitation, ignore this mail.',
    },
    reset: {
      title: 'Set a new password',
      text: 'Somebody asked for a new password for your account {email}.',
      until: 'The link works once, within an hour.',
      ignore: 'If it was not you, ignore this mail. Your password stays as it is.',
    },
    changes: {
      password: 'Your password was changed',
      'totp-on': 'One-time codes were switched on',
      'totp-off': 'One-time codes were switched off',
      'passkey-added': 'A passkey was added',
      'passkey-removed': 'A passkey was removed',
      'passkeys-removed': 'All passkeys were removed',
    },
    changed: {
      text: 'This was changed in your account {email}.',
      otherwise:
        'If it was not you, set a new password at once, have your passkeys removed there, and tell an owner of your organisation.',
    },
  },
  de: {
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
  },
  fr: {
    invitation: {
      subject: 'Invitation à rejoindre {organisation}',
      title: 'Vous êtes invité',
      text: '{by} vous invite à rejoindre {organisation} avec le rôle {role}.',
      textOfOperator: 'Vous êtes invité à rejoindre {organisation} avec le rôle {role}.',
      button: 'Accepter l’invitation',
      until: 'Le lien fonctionne une seule fois, pendant sept jours.',
      ignore: 'Si vous n’attendiez pas cette invitation, ignorez cet e-mail.',
    },
    reset: {
      title: 'Définir un nouveau mot de passe',
      text: 'Un nouveau mot de passe a été demandé pour votre compte {email}.',
      until: 'Le lien fonctionne une seule fois, pendant une heure.',
      ignore: 'Si ce n’était pas vous, ignorez cet e-mail. Votre mot de passe reste inchangé.',
    },
    changes: {
      password: 'Votre mot de passe a été modifié',
      'totp-on': 'Les codes à usage unique ont été activés',
      'totp-off': 'Les codes à usage unique ont été désactivés',
      'passkey-added': 'Une clé d’accès a été ajoutée',
      'passkey-removed': 'Une clé d’accès a été supprimée',
      'passkeys-removed': 'Toutes les clés d’accès ont été supprimées',
    },
    changed: {
      text: 'Ce changement concerne votre compte {email}.',
      otherwise:
        'Si ce n’était pas vous, définissez immédiatement un nouveau mot de passe, faites-y supprimer vos clés d’accès et prévenez un owner de votre organisation.',
    },
  },
  es: {
    invitation: {
      subject: 'Invitación a {organisation}',
      title: 'Tienes una invitación',
      text: '{by} te invita a unirte a {organisation} con el rol {role}.',
      textOfOperator: 'Te invitan a unirte a {organisation} con el rol {role}.',
      button: 'Aceptar la invitación',
      until: 'El enlace funciona una sola vez, durante siete días.',
      ignore: 'Si no esperabas esta invitación, ignora este correo.',
    },
    reset: {
      title: 'Establecer una contraseña nueva',
      text: 'Alguien ha pedido una contraseña nueva para tu cuenta {email}.',
      until: 'El enlace funciona una sola vez, durante una hora.',
      ignore: 'Si no fuiste tú, ignora este correo. Tu contraseña no cambia.',
    },
    changes: {
      password: 'Tu contraseña se ha cambiado',
      'totp-on': 'Se han activado los códigos de un solo uso',
      'totp-off': 'Se han desactivado los códigos de un solo uso',
      'passkey-added': 'Se ha añadido una llave de acceso',
      'passkey-removed': 'Se ha eliminado una llave de acceso',
      'passkeys-removed': 'Se han eliminado todas las llaves de acceso',
    },
    changed: {
      text: 'Este cambio se ha hecho en tu cuenta {email}.',
      otherwise:
        'Si no fuiste tú, establece enseguida una contraseña nueva, elimina allí tus llaves de acceso y avisa a un owner de tu organización.',
    },
  },
  it: {
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
  },
  nl: {
    invitation: {
      subject: 'Uitnodiging voor {organisation}',
      title: 'Je bent uitgenodigd',
      text: '{by} nodigt je uit om lid te worden van {organisation}, met de rol {role}.',
      textOfOperator: 'Je bent uitgenodigd om lid te worden van {organisation}, met de rol {role}.',
      button: 'Uitnodiging accepteren',
      until: 'De link werkt één keer, zeven dagen lang.',
      ignore: 'Verwachtte je deze uitnodiging niet, negeer dan deze e-mail.',
    },
    reset: {
      title: 'Een nieuw wachtwoord instellen',
      text: 'Iemand heeft een nieuw wachtwoord aangevraagd voor je account {email}.',
      until: 'De link werkt één keer, een uur lang.',
      ignore: 'Was jij dit niet, negeer dan deze e-mail. Je wachtwoord blijft zoals het is.',
    },
    changes: {
      password: 'Je wachtwoord is gewijzigd',
      'totp-on': 'Eenmalige codes zijn ingeschakeld',
      'totp-off': 'Eenmalige codes zijn uitgeschakeld',
      'passkey-added': 'Er is een passkey toegevoegd',
      'passkey-removed': 'Er is een passkey verwijderd',
      'passkeys-removed': 'Alle passkeys zijn verwijderd',
    },
    changed: {
      text: 'Dit is gewijzigd in je account {email}.',
      otherwise:
        'Was jij dit niet, stel dan meteen een nieuw wachtwoord in, laat daarbij je passkeys verwijderen en waarschuw een owner van je organisatie.',
    },
  },
  pt: {
    invitation: {
      subject: 'Convite para {organisation}',
      title: 'Você recebeu um convite',
      text: '{by} convida você para entrar em {organisation} com a função {role}.',
      textOfOperator: 'Você foi convidado para entrar em {organisation} com a função {role}.',
      button: 'Aceitar o convite',
      until: 'O link funciona uma única vez, durante sete dias.',
      ignore: 'Se você não esperava este convite, ignore este e-mail.',
    },
    reset: {
      title: 'Definir uma nova senha',
      text: 'Alguém pediu uma nova senha para a sua conta {email}.',
      until: 'O link funciona uma única vez, durante uma hora.',
      ignore: 'Se não foi você, ignore este e-mail. A sua senha continua a mesma.',
    },
    changes: {
      password: 'A sua senha foi alterada',
      'totp-on': 'Os códigos de uso único foram ativados',
      'totp-off': 'Os códigos de uso único foram desativados',
      'passkey-added': 'Uma chave de acesso foi adicionada',
      'passkey-removed': 'Uma chave de acesso foi removida',
      'passkeys-removed': 'Todas as chaves de acesso foram removidas',
    },
    changed: {
      text: 'Esta alteração foi feita na sua conta {email}.',
      otherwise:
        'Se não foi você, defina imediatamente uma nova senha, remova ali as suas chaves de acesso e avise um owner da sua organização.',
    },
  },
  sv: {
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
  },
}

/** @returns The words in the language of a locale, else in English, and the language. */
export function wordsOf(locale: string | undefined): { language: string; words: AccountMailWords } {
  const wanted = (locale ?? 'en').toLowerCase().split(/[-_]/)[0] ?? 'en'
  const language = Object.hasOwn(WORDS, wanted) ? wanted : 'en'
  const words = { ...WORDS[language], ending: ENDING_WORDS[language] } as AccountMailWords
  return { language, words }
}

// Words that common passwords are made of, French and English, accents removed, and those of this
// portal. Passwords of 12 characters and more that are in leaked lists are nearly all one of these
// words, repeated, lengthened by digits, or run along the keyboard; strength.ts takes those away too.
export const commonWords: readonly string[] = `
password passwort passe motdepasse mdp secret secrets code admin administrateur administrator root
user utilisateur login connexion bienvenue welcome bonjour salut hello coucou test testing demo guest
invite default changeme change changer temporaire temporary letmein laissemoi entrer master maitre
azerty qwerty qwertz azertyuiop qwertyuiop qsdfghjklm asdfghjkl wxcvbn zxcvbnm azer qwer aqwzsx
aqwxsz qaz wsx edc rfv tgb yhn ujm
abc abcd abcdef abcdefgh iloveyou jetaime jtm jtaime amour amours love lover lovely bisou bisous
doudou loulou chouchou cheri cherie coeur bebe princesse princess prince ange angel angels soleil
sunshine etoile star stars lune moon fleur flower roses papillon butterfly chocolat chocolate vanille
caramel nutella cookie chaton chat chien toutou minou kitty tigre tiger lion dragon licorne unicorn
panda loup wolf monkey singe lapin dauphin dolphin cheval
football foot soccer basket tennis rugby equipe champion champions barcelona barca realmadrid marseille
paris psg lyon ronaldo messi zidane mbappe neymar liverpool arsenal chelsea juventus
superman batman spiderman pokemon pikachu naruto starwars matrix mario zelda minecraft fortnite
mercedes ferrari porsche peugeot renault citroen harley yamaha honda
nicolas thomas julien alexandre alexandra maxime antoine guillaume sebastien christophe stephane
jerome laurent patrick philippe olivier frederic vincent mathieu matthieu benjamin romain quentin
anthony kevin florian jordan michel pierre francois jacques daniel david michael robert charlie jessica
jennifer ashley amanda nicole michelle samantha daniela isabelle nathalie veronique catherine sandrine
stephanie caroline camille charlotte emilie aurelie celine virginie sophie marine pauline laura julie
marie manon chloe emma lea louis lucas hugo arthur jules gabriel raphael nathan enzo leo jade louise
alice ines lina mohamed samir karim sarah nadia fatima
maman papa mamie papy famille family enfant enfants maison home vacances holiday liberte freedom
france francais french bretagne corse reunion martinique guadeloupe toulouse bordeaux nantes lille
nice strasbourg montpellier rennes london newyork america canada quebec
computer ordinateur internet google facebook samsung iphone apple microsoft windows android orange
free sfr bouygues wanadoo hotmail gmail yahoo linux server serveur pass word key cle
trustno1 whatever blink182 metallica nirvana slipknot eminem rihanna beyonce madonna
money argent euro euros travail work boulot bureau office ecole school college lycee
lundi mardi mercredi jeudi vendredi samedi dimanche monday friday sunday
janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre
january february march april june july august september october november december
printemps ete automne hiver spring summer autumn winter
noir blanc rouge bleu vert jaune rose violet black white red blue green yellow pink purple
un deux trois quatre cinq six sept huit neuf zero one two three four five seven eight nine
fuck fucking putain merde connard salope shit bitch sexy
jesus christ dieu god heaven paradis enfer allah
ma mon mes carte cartes card cagnotte cantine abonnement billet billets ebillet recharge solde
porteur portail fidelite transport bus prepaye professionnel partenaire compte client clients
personnel prive private number numero first last new nouveau my me the et
`
  .trim()
  .split(/\s+/)
  .filter((word) => word.length >= 3 || word === "ma")
  .sort((a, b) => b.length - a.length);

// Run with mongosh by the service mongo-init of docker-compose.yml. It makes the replica set and the service's own user, which may read and
// write its own database and nothing else. Run again, it changes nothing but the password and the roles, which it takes from the secrets and user.json once more.
const { readFileSync } = require("node:fs");
const secret = (name) => readFileSync(`${process.env.SECRETS ?? "/run/secrets"}/${name}`, "utf8").trim();
const host = process.env.MONGO_HOST ?? "mongo:27017";
const admin = connect(`mongodb://root:${secret("mongo-root-password")}@${host}/admin?directConnection=true`);

try {
  admin.adminCommand({ replSetGetStatus: 1 });
} catch (err) {
  if (err.codeName !== "NotYetInitialized") throw err;
  admin.adminCommand({ replSetInitiate: { _id: "rs0", members: [{ _id: 0, host }] } });
}
while (!admin.hello().isWritablePrimary) sleep(200);

const { database, user, roles } = JSON.parse(readFileSync(`${__dirname}/user.json`, "utf8"));
const own = admin.getSiblingDB(database);
const account = { pwd: secret("mongo-password"), roles };
if (own.getUser(user)) own.updateUser(user, account);
else own.createUser({ user, ...account });

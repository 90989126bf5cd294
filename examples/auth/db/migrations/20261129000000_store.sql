-- The tables of databaseStore(): values such as sessions, and counts of limits. Times are milliseconds since 1970.
CREATE TABLE fw_value (key text PRIMARY KEY, value text NOT NULL, expires bigint NOT NULL);
CREATE INDEX fw_value_expires ON fw_value (expires);
CREATE TABLE fw_count (key text PRIMARY KEY, count bigint NOT NULL, expires bigint NOT NULL);
CREATE INDEX fw_count_expires ON fw_count (expires);

-- down
DROP TABLE fw_count;
DROP TABLE fw_value;

/** The environment of the tests. Import this before modules that read it. */
process.env.TASKS_DATA = ""
process.env.TASKS_ORIGINS = "https://board.example"
process.env.TASKS_API_KEYS = "ops=correct horse,backup=battery=staple"
